/* Every scalar row of `weft isa vpu`, that is every operation in every encoding, against a model in plain C that
 * decodes the bits by the manual's chapters "Scalar 16 Bit Instruction Word" to "Scalar 48 Bit Instruction Word" and
 * the notes on them: all registers, flags, memory, where the program goes on, and which exception there is. */
#include "test.h"

#include "device/machine/machine.h"
#include "isa/pattern.h"
#include "isa/vpu/vpu.h"
#include "scalar_model.h"

/* Each instance is compiled anew, which takes its time under a sanitizer. */
#ifdef __SANITIZE_ADDRESS__
enum { INSTANCES = 4 };
#else
enum { INSTANCES = 60 };
#endif

enum {
    MEMORY = 0x10000, CODE = 0x2000, SP = 25, LR = 26, SR = 30, PC = 31,
    SUPERVISOR = 1 << 29, INTERRUPTS = 1 << 30, UNDEFINED = 3
};

/* How it ends: an exception's number, or one of these. */
enum { GOES_ON = -1, BREAKS = -2, SLEEPS = -3 };

struct cpu {
    uint32_t r[32];      /* r30 without its flags; r31 the address of the instruction */
    unsigned flags;
    uint32_t p[32], next;
    uint8_t memory[MEMORY];
    int end;
};

/* ---- the model ---- */

static int32_t sign_extend(uint32_t v, unsigned bits)
{
    return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

static uint32_t get(const struct cpu *c, unsigned reg)
{
    return reg == SR ? c->r[SR] | c->flags : c->r[reg];
}

static uint32_t load(const struct cpu *c, uint32_t at, unsigned bytes)
{
    uint32_t v = 0;
    memcpy(&v, c->memory + (at & 0x3fffffff), bytes);
    return v;
}

/* Exceptions of an access: 1 misaligned, 5 outside memory. */
static bool reaches(struct cpu *c, uint32_t at, unsigned bytes)
{
    c->end = at & (bytes - 1) ? 1 : (at & 0x3fffffff) >= MEMORY ? 5 : GOES_ON;
    return c->end == GOES_ON;
}

/* ww and the bit for stores: ld st ldh sth ldb stb ldsh ldsb. */
static unsigned width_of(unsigned op) { return op < 2 ? 4 : op < 4 || op == 6 ? 2 : 1; }

static bool access_memory(struct cpu *c, unsigned op, unsigned d, uint32_t at)
{
    unsigned bytes = width_of(op);
    if (!reaches(c, at, bytes))
        return false;
    uint32_t v = get(c, d);
    if (op < 6 && (op & 1)) {
        memcpy(c->memory + (at & 0x3fffffff), &v, bytes);
        return true;
    }
    v = load(c, at, bytes);
    c->r[d] = op < 6 ? v : (uint32_t)sign_extend(v, 8 * bytes);
    return true;
}

/* d = a op b, where the condition holds. */
static void operate(struct cpu *c, unsigned op, unsigned d, uint32_t a, uint32_t b, unsigned cond)
{
    if (!passes(cond, c->flags))
        return;
    if (op >= 57)
        c->end = UNDEFINED;
    else if (op >= 36 && op <= 39 && b == 0)
        c->end = 2;
    else if (is_compare(op))
        c->flags = flags_of(op, a, b);
    else
        c->r[d] = oracle(op, a, b);
}

/* The highest register lies lowest, lr or pc above all (notes, section 3). */
static void list(struct cpu *c, unsigned h)
{
    static const unsigned first[] = {0, 6, 16, 24};
    unsigned base = first[h >> 5 & 3], m = h & 31, link = h >> 8 & 1, count = m + 1;
    uint32_t sp = c->r[SP], words[33] = {0}, kept = sp;
    if (link && (m == 31 || (m == 15 && base == 24)))
        count = 0;
    if (sp & 3) {
        c->end = 1;
        return;
    }
    if (h & 0x80) { /* stm */
        sp -= 4 * (count + link);
        for (unsigned k = 0; k < count; k++)
            words[count - 1 - k] = ((base + k) & 31) == SP ? sp : get(c, (base + k) & 31);
        words[count] = c->r[LR];
        memcpy(c->memory + sp, words, 4 * (count + link));
        c->r[SP] = sp;
        return;
    }
    memcpy(words, c->memory + sp, 4 * (count + link));
    c->r[SP] = kept + 4 * (count + link);
    for (unsigned k = 0; k < count; k++) {
        unsigned reg = (base + k) & 31;
        uint32_t v = words[count - 1 - k];
        if (reg == SR) {
            c->flags = v & 15;
            c->r[SR] = v & ~15u;
        } else if (reg != PC) {
            c->r[reg] = v;
        }
    }
    if (link)
        c->next = words[count];
}

static void table_branch(struct cpu *c, unsigned d, bool bytes)
{
    uint32_t table = c->r[PC] + 2, at = table + (bytes ? get(c, d) : 2 * get(c, d));
    if ((at & 0x3fffffff) >= MEMORY) {
        c->end = 5;
        return;
    }
    uint32_t entry = bytes ? (uint32_t)sign_extend(load(c, at, 1), 8) : (uint32_t)sign_extend(load(c, at, 2), 16);
    c->next = table + 2 * entry;
}

static void plain(struct cpu *c, unsigned op)
{
    uint32_t sp = c->r[SP], sr;
    switch (op) {
    case 0: c->end = BREAKS; break;
    case 2: c->end = SLEEPS; break;
    case 4: c->r[SR] |= INTERRUPTS; break;
    case 5: c->r[SR] &= ~(uint32_t)INTERRUPTS; break;
    case 6: c->r[SR] &= ~0x30u; break;
    case 7: case 8: case 9: c->r[SR] = (c->r[SR] & ~0x30u) | ((c->r[SR] + ((op - 6) << 4)) & 0x30); break;
    case 10:
        sr = load(c, sp, 4);
        c->next = load(c, sp + 4, 4);
        c->r[SP] = sp + 8;
        c->flags = sr & 15;
        c->r[SR] = sr & ~15u;
        break;
    default: break;
    }
}

static void jump_and_link(struct cpu *c, uint32_t to, unsigned size)
{
    c->r[LR] = c->r[PC] + size;
    c->next = to;
}

static void step16(struct cpu *c, unsigned h)
{
    unsigned d = h & 31, d4 = h & 15, s = h >> 4 & 15, u = h >> 4 & 31;
    uint32_t pc = c->r[PC];
    c->next = pc + 2;
    if (h < 0x20)
        plain(c, h);
    else if (h < 0x40 || (h >= 0x1c0 && h < 0x200)) {
        c->end = 32 + (int)((h < 0x40 ? get(c, d) : h) & 31);
    } else if (h < 0x60)
        c->next = get(c, d);
    else if (h < 0x80)
        jump_and_link(c, get(c, d), 2);
    else if (h < 0xc0)
        table_branch(c, d, h < 0xa0);
    else if (h < 0x200)
        c->r[d] = 0x04000104; /* version */
    else if (h < 0x400)
        list(c, h);
    else if (h < 0x800)
        access_memory(c, h >> 9 & 1, d4, c->r[SP] + 4 * u);
    else if (h < 0x1000)
        access_memory(c, h >> 8 & 7, d4, c->r[s]);
    else if (h < 0x1800)
        c->r[d] = c->r[SP] + 4 * (uint32_t)sign_extend(h >> 5, 6);
    else if (h < 0x2000) {
        if (passes(h >> 7 & 15, c->flags))
            c->next = pc + 2 * (uint32_t)sign_extend(h, 7);
    } else if (h < 0x4000)
        access_memory(c, h >> 12 & 1, d4, c->r[s] + 4 * (h >> 8 & 15));
    else if (h >> 8 == 0x5d) /* brev of 16 bits reverses its second register */
        c->r[d4] = reversed(c->r[s]);
    else if (h < 0x6000)
        operate(c, h >> 8 & 31, d4, c->r[d4], c->r[s], 14);
    else
        operate(c, (h >> 9 & 15) * 2, d4, c->r[d4], u, 14);
}

static void add_compare_branch(struct cpu *c, unsigned h, unsigned g)
{
    unsigned cond = h >> 8 & 15, d = h & 15;
    c->r[d] += g & 0x4000 ? (uint32_t)sign_extend(h >> 4, 4) : c->r[h >> 4 & 15];
    uint32_t with = g & 0x8000 ? g >> 8 & 63 : c->r[g >> 10 & 15];
    uint32_t by = (uint32_t)(g & 0x8000 ? sign_extend(g, 8) : sign_extend(g, 10));
    if (passes(cond, flags_of(10, c->r[d], with)))
        c->next = c->r[PC] + 2 * by;
}

static void floating(struct cpu *c, unsigned op, unsigned d, uint32_t a, uint32_t b)
{
    float x = as_float(a), y = as_float(b);
    if (op == 4)
        c->flags = x < y ? 6 : x == y ? 8 : 0;
    else if (op == 14)
        c->r[d] = as_bits(log2f(y));
    else if (op == 15)
        c->r[d] = as_bits(exp2f(y));
    else
        c->r[d] = as_bits(float_oracle(op, x, y));
}

static uint32_t convert(unsigned op, uint32_t a, int32_t shift)
{
    if (op >= 2)
        return as_bits((float)ldexp(op == 2 ? (double)(int32_t)a : (double)a, -shift));
    double x = ldexp((double)as_float(a), shift);
    x = op ? floor(x) : trunc(x);
    return (uint32_t)(x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : (int32_t)x);
}

static uint32_t float6(unsigned i)
{
    unsigned exponent = i >> 2 & 7;
    return (i >> 5) << 31 | (exponent ? (exponent + 124) << 23 | (i & 3) << 21 : 0);
}

/* 1100 ...: three operands and a condition. */
static void three(struct cpu *c, unsigned h, unsigned g)
{
    unsigned d = h & 31, cond = g >> 7 & 15;
    bool immediate = g & 0x40;
    uint32_t a = get(c, g >> 11), b = immediate ? (uint32_t)sign_extend(g, 6) : get(c, g & 31);
    if (h < 0xc800)
        operate(c, h >> 5 & 63, d, a, b, cond);
    else if (h >= 0xcc00 && (h >> 5 & 1)) { /* mov rd,pa; a mutex is taken */
        unsigned from = g & 31;
        c->r[d] = from == 14 || from == 15 ? 0 : c->p[from]; /* nothing is outstanding */
        c->p[from] = from >= 16 ? 1 : c->p[from];
    } else if (h >= 0xcc00)
        c->p[d] = d >= 16 ? get(c, g & 31) & 1 : get(c, g & 31);
    else if (!passes(cond, c->flags))
        return;
    else if (h < 0xca00)
        floating(c, h >> 5 & 15, d, a, immediate ? float6(g & 63) : b);
    else
        c->r[d] = convert(h >> 5 & 3, a, (int32_t)b);
}

/* 1010 ...: loads and stores. */
static void memory32(struct cpu *c, unsigned h, unsigned g)
{
    static const unsigned bases[] = {24, SP, PC, 0};
    unsigned op = h >> 5 & 7, d = h & 31, a = g >> 11, cond = g >> 7 & 15, bytes = width_of(op);
    if (h >= 0xa800) {
        access_memory(c, op, d, c->r[bases[h >> 8 & 3]] + (uint32_t)sign_extend(g, 16));
        return;
    }
    uint32_t base = get(c, a);
    if ((h & 0xfe00) == 0xa200) {
        access_memory(c, op, d, base + (uint32_t)sign_extend((h >> 8 & 1) << 11 | (g & 0x7ff), 12));
        return;
    }
    if (!passes(cond, c->flags))
        return;
    if (h < 0xa100) {
        access_memory(c, op, d, base + (g & 0x40 ? g & 31 : get(c, g & 31) * bytes));
        return;
    }
    bool before = h < 0xa500;
    uint32_t at = before ? base - bytes : base;
    if (access_memory(c, op, d, at) && (a != d || (op & 1 && op < 6)))
        c->r[a] = before ? at : base + bytes;
}

static void step32(struct cpu *c, unsigned h, unsigned g)
{
    unsigned d = h & 31;
    uint32_t pc = c->r[PC], imm = (uint32_t)sign_extend(g, 16);
    c->next = pc + 4;
    if (h < 0x9000)
        add_compare_branch(c, h, g);
    else if (h < 0xa000 && (h & 0x80))
        jump_and_link(c, pc + 2 * (uint32_t)sign_extend((h >> 8 & 15) << 23 | (h & 127) << 16 | g, 27), 4);
    else if (h < 0xa000) {
        if (passes(h >> 8 & 15, c->flags))
            c->next = pc + 2 * (uint32_t)sign_extend((h & 127) << 16 | g, 23);
    } else if (h < 0xb000)
        memory32(c, h, g);
    else if (h < 0xb400)
        operate(c, h >> 5 & 31, d, get(c, d), imm, 14);
    else if (h < 0xb800)
        c->r[d] = get(c, h >> 5 & 31) + imm;
    else if (h < 0xc000)
        c->r[d] = pc + imm;
    else
        three(c, h, g);
}

static void step48(struct cpu *c, unsigned h, uint32_t u)
{
    unsigned d = h & 31, op = h >> 5 & 7;
    uint32_t pc = c->r[PC];
    c->next = pc + 6;
    if (h == 0xe000 || h == 0xe100)
        c->next = h == 0xe000 ? u : pc + u;
    else if (h == 0xe200 || h == 0xe300)
        jump_and_link(c, h == 0xe200 ? u : pc + u, 6);
    else if (h < 0xe600)
        c->r[d] = pc + u;
    else if (h < 0xe800)
        access_memory(c, op, d, get(c, u >> 27) + (uint32_t)sign_extend(u, 27));
    else if (h < 0xec00)
        operate(c, h >> 5 & 31, d, get(c, d), u, 14);
    else
        c->r[d] = get(c, h >> 5 & 31) + u;
}

static void model(struct cpu *c, const uint16_t h[3], unsigned size)
{
    struct cpu before = *c;
    c->end = GOES_ON;
    if (size == 2)
        step16(c, h[0]);
    else if (size == 4)
        step32(c, h[0], h[1]);
    else
        step48(c, h[0], h[1] | (uint32_t)h[2] << 16);
    if (c->end == GOES_ON)
        return;
    int end = c->end;
    uint32_t next = c->next;
    *c = before;
    c->end = end;
    c->next = end >= 32 ? next : c->r[PC];
}

/* ---- instances of a row ---- */

struct instance {
    uint16_t h[3];
    unsigned size;
    struct vpu_insn insn;
};

static struct instance random_instance(struct test_rng *r, const struct pattern *p)
{
    struct instance i = {.size = p->bits / 8};
    uint64_t w = (test_next64(r) & ~p->mask.w[0]) | p->value.w[0];
    for (unsigned k = 0; k < i.size / 2; k++)
        i.h[k] = (uint16_t)(w >> (p->bits - 16 * (k + 1)));
    if (i.size == 6) { /* the second part is one word */
        i.h[1] = (uint16_t)w;
        i.h[2] = (uint16_t)(w >> 16);
    }
    vpu_decode_insn((const uint8_t *)i.h, i.size, CODE, &i.insn);
    return i;
}

static bool is_access(const struct vpu_insn *i) { return i->op >= VPU_MEMORY && i->op < VPU_LDM; }

/* Writes of sr and pc have tests of their own; the manual does not say what a base register that is stored, or used up
 * twice, does. */
static bool is_left_out(const struct vpu_insn *i)
{
    bool steps = is_access(i) && (i->mode == VPU_PREDEC || i->mode == VPU_POSTINC);
    bool loads = is_access(i) && ((i->op & 1) == 0 || i->op == VPU_MEMORY + 7);
    bool writes = i->op < VPU_MEMORY || loads || i->op == VPU_LEA || i->op == VPU_MOV_FROM_P || i->op == VPU_VERSION ||
                  i->op == VPU_ADDCMPB;
    if (writes && !is_compare(i->op) && i->op != VPU_FCMP && i->d >= SR)
        return true;
    if ((i->op == VPU_SWITCH || i->op == VPU_SWITCH_B) && i->d == SR) /* reaches the boot ROM area */
        return true;
    return steps && (i->a >= SR || i->a == i->d);
}

static uint32_t random_word(struct test_rng *r)
{
    static const uint32_t corners[] = {0, 1, 2, 31, 32, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fff, 0x8000, 0xffff8000};
    if (test_next(r) & 1)
        return corners[test_next(r) % (sizeof corners / sizeof corners[0])];
    return test_next(r) >> (test_next(r) & 31);
}

static uint32_t random_float(struct test_rng *r)
{
    return as_bits((float)(int32_t)test_next(r) / (float)(1 << (test_next(r) % 31)));
}

/* Registers and memory that make the instance interesting: addresses are in memory mostly, and aligned mostly. */
static void prepare(struct test_rng *r, struct cpu *c, const struct vpu_insn *i)
{
    for (unsigned k = 0; k < PC; k++)
        c->r[k] = i->op >= VPU_FLOAT && i->op < VPU_MEMORY ? random_float(r) : random_word(r);
    c->flags = test_next(r) & 15;
    c->r[SR] = SUPERVISOR | (test_next(r) & 3) << 4;
    c->r[PC] = CODE;
    c->r[SP] = 0x8000 + 4 * (test_next(r) & 1023) + (test_next(r) % 16 == 0);
    for (unsigned k = 0; k < 64; k++) {
        uint32_t v = test_next(r);
        memcpy(c->memory + test_next(r) % (MEMORY - 4), &v, 4);
    }
    unsigned op = i->op;
    if (op == VPU_CONVERT + 2 || op == VPU_CONVERT + 3)
        c->r[i->a] = random_word(r);
    if (op >= VPU_CONVERT && op < VPU_MEMORY && !(i->flags & VPU_IMMEDIATE)) /* a shift, which is no NaN */
        c->r[i->b] = i->a == i->b ? test_next(r) % 21 : test_next(r) % 41 - 20;
    if (op >= VPU_FLOAT + 8 && op <= VPU_FLOAT + 9)
        c->r[i->b] &= 0x7fffffff;
    if (op == VPU_FLOAT + 14)
        c->r[i->b] = (c->r[i->b] & 0x7fffffff) | 0x3e800000;
    if (op == VPU_FLOAT + 15)
        c->r[i->b] = as_bits((float)(int32_t)(test_next(r) % 20001 - 10000) / 100.0f);
    if (op == VPU_SWITCH || op == VPU_SWITCH_B)
        c->r[i->d] = test_next(r) % 100;
    if (is_access(i) && i->a < SR) { /* the address less the displacement and the index */
        uint32_t at = 4 * (test_next(r) % (MEMORY / 4 - 4)) + (test_next(r) % 8 == 0) + 0x40000000 * (test_next(r) & 3);
        if (i->mode == VPU_INDEX) {
            c->r[i->b] = i->b == i->a ? c->r[i->b] : test_next(r) % 1000;
            at -= c->r[i->b] * width_of(op - VPU_MEMORY);
        }
        c->r[i->a] = at - (i->mode == VPU_OFFSET ? (uint32_t)i->imm : 0);
    }
    c->r[PC] = CODE;
    c->r[SR] = SUPERVISOR | (c->r[SR] & 0x30);
    if (op == VPU_RTI)
        c->r[SP] &= ~3u;
    uint32_t sr = SUPERVISOR | (test_next(r) & 0x3f);
    if (op == VPU_RTI)
        memcpy(c->memory + c->r[SP], &sr, 4);
    /* a word for sr says supervisor mode again */
    if (op == VPU_LDM && !(c->r[SP] & 3) && !(i->flags & VPU_LINK_ONLY)) {
        unsigned last = (i->b - i->a) & 31;
        for (unsigned k = 0; k <= last; k++)
            if (((i->a + k) & 31) == SR)
                memcpy(c->memory + c->r[SP] + 4 * (last - k), &sr, 4);
    }
}

/* Devices, and the area of the boot ROM, are not memory of the model. */
static bool is_elsewhere(const struct cpu *c, const struct vpu_insn *i)
{
    uint32_t at = get(c, i->a);
    if (!is_access(i))
        return false;
    if (i->mode == VPU_INDEX)
        at += get(c, i->b) * width_of(i->op - VPU_MEMORY);
    if (i->mode == VPU_OFFSET)
        at += (uint32_t)i->imm;
    uint32_t in_alias = at & 0x3fffffff;
    return at - 0x7dfffff0 < 0x1000020 || in_alias - 0x1ffffff0 < 0x10020 || in_alias + 4 > 0x3fffffff;
}

/* ---- the machine ---- */

static void load_machine(struct machine *m, const struct cpu *c)
{
    machine_set_register(m, SR, c->r[SR] | c->flags);
    for (unsigned k = 0; k < SR; k++)
        machine_set_register(m, k, c->r[k]);
    assert_true(machine_write(m, 0, c->memory, MEMORY));
    machine_set_pc(m, CODE);
}

/* Which NaN, and how exact logarithms and powers are, is not documented. */
static bool is_close(unsigned op, uint32_t a, uint32_t b)
{
    float x = as_float(a), y = as_float(b);
    if (op < VPU_FLOAT || op >= VPU_CONVERT)
        return false;
    bool rough = op >= VPU_FLOAT + 14 && (fabsf(x - y) <= fabsf(y) * 0x1p-21f || fabsf(x - y) < 0x1p-24f);
    return rough || (x != x && y != y);
}

static const char *difference(struct machine *m, const struct cpu *c, const struct vpu_insn *i)
{
    static uint8_t memory[MEMORY];
    static char what[100];
    for (unsigned k = 0; k <= SR; k++) {
        uint32_t is = machine_register(m, k), want = get(c, k);
        if (is == want || (k == i->d && is_close(i->op, is, want)))
            continue;
        snprintf(what, sizeof what, "r%u is %x, not %x", k, is, want);
        return what;
    }
    snprintf(what, sizeof what, "it goes on at %x, not %x", machine_pc(m), c->next);
    if ((machine_pc(m) ^ c->next) & ~1u)
        return what;
    assert_true(machine_read(m, 0, memory, MEMORY));
    return memcmp(memory, c->memory, MEMORY) == 0 ? NULL : "memory is not the same";
}

static bool ends_so(struct machine *m, enum machine_stop stop, const struct cpu *c)
{
    /* Where there is nothing to execute the next exception may come at once. */
    if (c->end == GOES_ON && stop == MACHINE_EXCEPTION && machine_exception(m) == 5)
        return (c->next & 0x3fffffff) >= MEMORY;
    if (c->end == GOES_ON)
        return stop == MACHINE_LIMIT;
    if (c->end < 0)
        return stop == (c->end == BREAKS ? MACHINE_BREAKPOINT : MACHINE_SLEEP);
    return stop == MACHINE_EXCEPTION && machine_exception(m) == (unsigned)c->end;
}

static void check_row(struct machine *m, struct test_rng *r, struct cpu *c, const struct isa_row_info *row)
{
    struct pattern p;
    const char *wrong;
    assert_true(pattern_compile(row->pattern, &p, &wrong));
    unsigned done = 0;
    for (unsigned tries = 0; done < INSTANCES && tries < 100 * INSTANCES; tries++) {
        struct instance i = random_instance(r, &p);
        if (i.insn.op == VPU_DATA)
            fail_msg("%s: decoded as no instruction", row->pattern);
        if (is_left_out(&i.insn) || i.insn.op == VPU_USER)
            continue;
        prepare(r, c, &i.insn);
        if (is_elsewhere(c, &i.insn))
            continue;
        memcpy(c->memory + CODE, i.h, i.size);
        load_machine(m, c);
        struct cpu was = *c;
        model(c, i.h, i.size);
        enum machine_stop stop = machine_run(m, 1);
        if (!ends_so(m, stop, c))
            fail_msg("%s (%04x %04x %04x): stop %d at %x, exception %u, not %d", row->syntax, i.h[0], i.h[1], i.h[2],
                     (int)stop, machine_pc(m), machine_exception(m), c->end);
        const char *why = difference(m, c, &i.insn);
        if (why)
            fail_msg("%s (%04x %04x %04x) with flags %x, a %x, b %x, d %x: %s", row->syntax, i.h[0], i.h[1], i.h[2],
                     was.flags, get(&was, i.insn.a & 31), get(&was, i.insn.b & 31), get(&was, i.insn.d & 31), why);
        done++;
    }
    if (done < INSTANCES / 2 && strcmp(row->mnemonic, "user") != 0)
        fail_msg("%s: %u instances only", row->pattern, done);
}

static void rows(void **state)
{
    (void)state;
    struct test_rng r = test_seed("rows");
    struct machine_params params = {.sdram = MEMORY, .level = exec_best_level()};
    struct machine *m = machine_new(&params);
    static struct cpu c;
    unsigned count = 0;
    assert_non_null(m);
    for (uint32_t row = 0; row < isa_vpu.nrows; row++) {
        struct isa_row_info info = {0};
        isa_vpu.row_info(row, &info);
        assert_true(info.executes);
        if (strncmp(info.pattern, "1111", 4) == 0)
            continue; /* test_vector_rows.c */
        check_row(m, &r, &c, &info);
        count++;
    }
    printf("# %u rows\n", count);
    assert_true(count > 350);
    machine_free(m);
}

TEST_MAIN(TEST(rows))
