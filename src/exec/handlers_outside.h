/* handlers_outside.h - accesses outside their range: a part of handlers.c, which alone includes it. */
#define COLD __attribute__((noinline, cold))

static COLD void note_outside(struct frame *f, struct exec_outside one)
{
    one.any = true;
    f->counts.bad_access++;
    exec_outside_merge(&f->counts.outside, &one);
}

/* Indices of registers, of `bad` lanes. */
static COLD void note_registers(struct frame *f, const struct lop *op, uint32_t insn, lane_mask bad)
{
    for (; bad; bad &= bad - 1) {
        unsigned i = (unsigned)__builtin_ctzll(bad);
        int32_t index = ROW(int32_t, op->a)[op->sa ? i : 0];
        note_outside(f, (struct exec_outside){.insn = insn, .lane = (uint16_t)i, .is_register = true, .place = op->aux,
                                              .address = (uint64_t)index});
    }
}
