/* module.c - the module weft-jit.so: LLVM's ORC around gen.c.
 *
 * One LLJIT serves the process. Its memory manager maps code writable, then executable, never both. WEFT_JIT_DUMP
 * names what is printed to standard error: "ir", "asm", or both with a comma. */
#include "exec/jit/region.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((visibility("default"))) const struct jit_api *weft_jit_api(void);

struct engine {
    LLVMOrcLLJITRef jit;
    LLVMTargetMachineRef machine; /* for dumps */
    uint64_t modules;
};
static struct engine engines[EXEC_LEVELS];

/* The host's instructions, as meson.build gives them to the handlers of a level; but with AVX512BW LLVM would keep 32
 * conditions in one register, and take them out of it for each vector of 16. */
static const char *const features[EXEC_LEVELS] = {
    "-vzeroupper",
    "+avx2,+fma,+bmi,+bmi2,+lzcnt,+popcnt,-vzeroupper",
    "+avx2,+avx512f,+avx512dq,+avx512vl,+fma,+bmi,+bmi2,+lzcnt,+popcnt,-prefer-256-bit,-vzeroupper",
};

static bool dumps(const char *what)
{
    const char *list = getenv("WEFT_JIT_DUMP");
    return list && strstr(list, what);
}

/* An error of LLVM into `why`. */
static bool failed(LLVMErrorRef error, char *why, size_t size)
{
    if (!error)
        return false;
    char *text = LLVMGetErrorMessage(error);
    snprintf(why, size, "%s", text);
    LLVMDisposeErrorMessage(text);
    return true;
}

static LLVMTargetMachineRef new_machine(enum exec_level level, char *why, size_t size)
{
    char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
    LLVMTargetRef target;
    LLVMTargetMachineRef machine = NULL;
    bool x86 = strncmp(triple, "x86_64", 6) == 0;
    if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        snprintf(why, size, "%s", message);
        LLVMDisposeMessage(message);
    } else {
        machine = LLVMCreateTargetMachine(target, triple, x86 ? "x86-64" : "generic", x86 ? features[level] : "",
                                          LLVMCodeGenLevelLess, LLVMRelocPIC, LLVMCodeModelSmall);
    }
    LLVMDisposeMessage(triple);
    return machine;
}

static bool start(struct engine *e, enum exec_level level, char *why, size_t size)
{
    if (e->jit)
        return true;
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMTargetMachineRef machine = new_machine(level, why, size);
    e->machine = machine ? new_machine(level, why, size) : NULL;
    if (!e->machine)
        return false;
    LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
    LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(builder,
                                                  LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
    return !failed(LLVMOrcCreateLLJIT(&e->jit, builder), why, size);
}

static void print_assembly(const struct engine *e, LLVMModuleRef module)
{
    LLVMMemoryBufferRef text = NULL;
    char *message = NULL;
    LLVMModuleRef copy = LLVMCloneModule(module);
    if (LLVMTargetMachineEmitToMemoryBuffer(e->machine, copy, LLVMAssemblyFile, &message, &text) == 0) {
        fwrite(LLVMGetBufferStart(text), 1, LLVMGetBufferSize(text), stderr);
        LLVMDisposeMemoryBuffer(text);
    } else {
        LLVMDisposeMessage(message);
    }
    LLVMDisposeModule(copy);
}

/* Functions for all runs that can be made, into a module; the others' names are not there. A region that cannot be made
 * is tried run by run. */
static LLVMModuleRef make_module(struct engine *e, LLVMContextRef context, const struct jit_request *r)
{
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("weft", context);
    LLVMSetTarget(module, LLVMOrcLLJITGetTripleString(e->jit));
    LLVMSetDataLayout(module, LLVMOrcLLJITGetDataLayoutStr(e->jit));
    struct regions regions;
    if (!regions_find(r, &regions))
        return module;
    for (uint32_t i = 0; i < regions.count; i++) {
        const struct region *of = &regions.region[i];
        if (function_emit(context, module, r, of, e->modules))
            continue;
        for (uint32_t k = 0; of->count > 1 && k < of->count; k++)
            function_emit(context, module, r, &(struct region){&of->run[k], 1}, e->modules);
    }
    regions_free(&regions);
    return module;
}

/* Builds with assertions end where it is wrong: the interpreter would run the program, and hide it. */
static void look_at_module(const struct engine *e, LLVMModuleRef module)
{
    if (dumps("ir")) {
        char *text = LLVMPrintModuleToString(module);
        fputs(text, stderr);
        LLVMDisposeMessage(text);
    }
#ifndef NDEBUG
    LLVMVerifyModule(module, LLVMAbortProcessAction, NULL);
#endif
    if (dumps("asm"))
        print_assembly(e, module);
}

/* Of the module as it is before anything is optimised; what LLVM has to say where it is wrong. */
static char *text(const struct jit_request *r)
{
    struct engine *e = &engines[r->level];
    char why[160], *said = NULL;
    if (!start(e, (enum exec_level)r->level, why, sizeof why))
        return NULL;
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = make_module(e, context, r);
    if (!LLVMVerifyModule(module, LLVMReturnStatusAction, &said)) {
        LLVMDisposeMessage(said);
        said = LLVMPrintModuleToString(module);
    }
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return said;
}

static bool compile(const struct jit_request *r, lop_fn **functions, char *why, size_t size)
{
    struct engine *e = &engines[r->level];
    if (!start(e, (enum exec_level)r->level, why, size))
        return false;
    LLVMOrcThreadSafeContextRef shared = LLVMOrcCreateNewThreadSafeContext();
    LLVMModuleRef module = make_module(e, LLVMOrcThreadSafeContextGetContext(shared), r);
    bool *there = calloc(r->nruns + 1, sizeof *there), fine = there != NULL;
    look_at_module(e, module);
    char name[32];
    for (uint32_t i = 0; fine && i < r->nruns; i++) {
        function_name(name, e->modules, i);
        there[i] = LLVMGetNamedFunction(module, name) != NULL;
    }
    LLVMOrcThreadSafeModuleRef owned = LLVMOrcCreateNewThreadSafeModule(module, shared);
    LLVMOrcDisposeThreadSafeContext(shared);
    if (fine)
        fine = !failed(LLVMOrcLLJITAddLLVMIRModule(e->jit, LLVMOrcLLJITGetMainJITDylib(e->jit), owned), why, size);
    else
        LLVMOrcDisposeThreadSafeModule(owned);
    for (uint32_t i = 0; fine && i < r->nruns; i++) {
        LLVMOrcExecutorAddress address = 0;
        function_name(name, e->modules, i);
        fine = !there[i] || !failed(LLVMOrcLLJITLookup(e->jit, &address, name), why, size);
        functions[i] = (lop_fn *)(uintptr_t)address;
    }
    e->modules++;
    free(there);
    return fine;
}

static const struct jit_api api = {JIT_VERSION, "LLVM " WEFT_LLVM_VERSION, op_known, votes_fit, compile, text};

const struct jit_api *weft_jit_api(void)
{
    return &api;
}
