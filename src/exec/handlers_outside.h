/* handlers_outside.h - accesses outside their range: a part of handlers.c, which alone includes it. */
#define COLD __attribute__((noinline, cold))

static COLD void note_outside(struct frame *f, struct exec_outside one)
{
    one.any = true;
    f->counts.bad_access++;
    exec_outside_merge(&f->counts.outside, &one);
}

/* Whether an access may come before the one that is kept. Most do not: programs that go outside do so over and over. */
static inline bool may_be_first(const struct frame *f, uint32_t insn)
{
    return !f->counts.outside.any || insn <= f->counts.outside.insn;
}

/* Indices of registers, of `bad` lanes. */
static COLD void note_registers(struct frame *f, const struct lop *op, uint32_t insn, lane_mask bad)
{
    if (!may_be_first(f, insn)) {
        f->counts.bad_access += (unsigned)__builtin_popcountll(bad);
        return;
    }
    for (; bad; bad &= bad - 1) {
        unsigned i = (unsigned)__builtin_ctzll(bad);
        int32_t index = ROW(int32_t, op->a)[op->sa ? i : 0];
        note_outside(f, (struct exec_outside){.insn = insn, .lane = (uint16_t)i, .is_register = true, .place = op->aux,
                                              .address = (uint64_t)index});
    }
}
