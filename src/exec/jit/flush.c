/* flush.c - runs for which the host makes denormal results zeros.
 *
 * x86 can make results that are denormal after rounding zeros of their sign, which is what IR_FLUSH_OUT asks for and
 * takes several instructions otherwise. Runs of which most float operations ask for it, and no other can tell, are a
 * function of its own that is called with the host so set. Another function, because LLVM knows nothing of what the
 * host is set to and may move float operations across. */
#include "exec/jit/function.h"

#include <string.h>

enum { FEWEST_FLUSHED = 3, MXCSR_FLUSH = 0x8000, MXCSR_ZERO = 0x40 };

/* Does the run go on to itself? Then it is done often, and one operation is enough. */
static bool repeats(const struct jit_request *r, uint32_t n)
{
    const struct jit_run *run = run_of(r, n);
    return run->to[0] == n + 1 || run->to[1] == n + 1;
}

bool host_may_flush(const struct jit_request *r, const struct region *of)
{
#if defined(__x86_64__)
    unsigned wanted = 0;
    bool often = false;
    if (r->straight) /* runs are left everywhere */
        return false;
    for (uint32_t k = 0; k < of->count; k++) {
        const struct jit_run *run = run_of(r, of->run[k]);
        const struct jit_step *s = steps_of(r, run);
        often |= repeats(r, of->run[k]);
        for (uint32_t i = 0; i < run->count; i++) {
            enum flushing f = op_flushing(&s[i]);
            if (f == FLUSHING_HARMS)
                return false;
            wanted += f == FLUSHING_WANTED;
        }
    }
    return wanted >= (often ? 1 : FEWEST_FLUSHED);
#else
    (void)r, (void)of;
    return false;
#endif
}

/* Of runs that may be flushed: do all operations take denormal operands for zeros, or not see them? */
bool host_may_zero(const struct jit_request *r, const struct region *of)
{
    for (uint32_t k = 0; k < of->count; k++) {
        const struct jit_run *run = run_of(r, of->run[k]);
        for (uint32_t i = 0; i < run->count; i++)
            if (op_minds_zeroing(&steps_of(r, run)[i]))
                return false;
    }
    return true;
}

/* In `top`: sets the host, calls `inner`, sets it back and goes on. */
void host_call_flushing(struct gen *g, LLVMTypeRef type, V inner, LLVMTypeRef inner_type, V args[3], unsigned nargs)
{
    unsigned bits = MXCSR_FLUSH | (g->zeroes ? MXCSR_ZERO : 0);
    V old = LLVMBuildAlloca(g->top, g->i32, ""), new = LLVMBuildAlloca(g->top, g->i32, "");
    V old_at = LLVMBuildBitCast(g->top, old, g->pointer, ""), new_at = LLVMBuildBitCast(g->top, new, g->pointer, "");
    host_instruction(g, g->top, "llvm.x86.sse.stmxcsr", &old_at, 1);
    V set = LLVMBuildOr(g->top, load_at(g, g->top, old, g->i32, 4), LLVMConstInt(g->i32, bits, false), "");
    store_at(g, g->top, set, new, 4);
    host_instruction(g, g->top, "llvm.x86.sse.ldmxcsr", &new_at, 1);
    V next = LLVMBuildCall2(g->top, inner_type, inner, args, nargs, "");
    host_instruction(g, g->top, "llvm.x86.sse.ldmxcsr", &old_at, 1);
    V fn = LLVMGetBasicBlockParent(LLVMGetInsertBlock(g->top)), go[2] = {LLVMGetParam(fn, 0), next};
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(g->context, fn, "");
    LLVMBasicBlockRef on = LLVMAppendBasicBlockInContext(g->context, fn, "");
    LLVMBuildCondBr(g->top, LLVMBuildICmp(g->top, LLVMIntEQ, next, LLVMConstNull(g->pointer), ""), done, on);
    LLVMPositionBuilderAtEnd(g->top, done);
    LLVMBuildRet(g->top, next);
    LLVMPositionBuilderAtEnd(g->top, on);
    V call = LLVMBuildCall2(g->top, type, load_at(g, g->top, next, LLVMPointerType(type, 0), 8), go, 2, "");
    LLVMSetTailCall(call, true);
    LLVMBuildRet(g->top, call);
}
