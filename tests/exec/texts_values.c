/* texts_values.c - what lanes tell each other, registers and their parts, memory, and what stages of the device give
 * and take. */
#include "texts.h"

#include "ir/program.h"

/* ---- lanes ---- */

static void votes(unsigned lanes, bool grows)
{
    static const enum ir_opcode codes[] = {IR_ANY, IR_ALL, IR_BALLOT};
    for (unsigned n = 0; n < 12; n++) {
        enum ir_opcode code = codes[n % 3];
        struct kind *k = new_kind("%s of %s, %u lanes%s%s", ir_op_info[code].text, n / 6 ? "the warp" : "lanes", lanes,
                                  n / 3 % 2 ? ", all" : "", grows ? ", grows" : "");
        struct maker *m = begin_program(k, lanes);
        ir_value on = operand(m, IR_I1, 0, n / 6 ? 'U' : 'L');
        ir_value v = ir_op1(&m->b, code, n / 3 % 2 ? IR_ALL_LANES : 0, on);
        keep(m, v);
        if (code != IR_BALLOT) { /* what follows of it: of the warp, of lanes, another vote */
            ir_value x = operand(m, IR_I32, 1, 'U'), y = operand(m, IR_I32, 2, 'L');
            keep(m, ir_select(&m->b, v, x, operand(m, IR_I32, 3, 'C')));
            keep(m, ir_op2(&m->b, IR_ADD, 0, y, operand(m, IR_I32, 4, 'C')));
            keep(m, ir_op1(&m->b, IR_ANY, 0, operand(m, IR_I1, 5, 'L')));
            keep(m, ir_select(&m->b, v, y, operand(m, IR_I32, 6, 'L')));
        }
        end_program(m, grows);
    }
}

static void reductions(bool grows)
{
    for (unsigned code = IR_ADD; code <= IR_XOR; code++) {
        if (code != IR_ADD && code != IR_MUL && (code < IR_MIN_S || code > IR_XOR))
            continue;
        struct kind *k = new_kind("reduce by %s%s", ir_op_info[code].text, grows ? ", grows" : "");
        struct maker *m = begin_program(k, 16);
        for (unsigned n = 0; n < 4; n++) {
            ir_value v = operand(m, IR_I32, n, n & 1 ? 'U' : 'L');
            keep(m, ir_emit(&m->b, IR_REDUCE, ir_type_of(&m->b, v), n & 1 ? IR_ALL_LANES : 0, 1, &v, 1, 0, code, 0));
        }
        end_program(m, grows);
    }
}

/* Quads, of conditions and numbers, and the lane's own number, in vectors of 16 and of 32. */
static void quads(unsigned lanes, unsigned ops, bool grows)
{
    struct kind *k = new_kind("quads of %u lanes, %u ops%s", lanes, ops, grows ? ", grows" : "");
    struct maker *m = begin_program(k, lanes);
    for (unsigned n = 0; n < ops; n++) {
        ir_value v = operand(m, n % 3 == 1 ? IR_F32 : IR_I32, n % 8, n % 5 == 4 ? 'U' : 'L');
        if (n % 3 == 2)
            v = ir_cvt(&m->b, IR_SEXT, IR_I32, 0, ir_op2(&m->b, IR_LT_S, 0, operand(m, IR_I32, n % 8, 'L'), v));
        keep(m, ir_emit(&m->b, n & 1 ? IR_QUAD_LANE : IR_QUAD_XOR, ir_type_of(&m->b, v), 0, 1, &v, 1, 0, n / 2 % 4, 0));
    }
    keep(m, ir_op2(&m->b, IR_SHL, 0, ir_lane_id(&m->b), operand(m, IR_I32, 1, 'C')));
    keep(m, ir_op1(&m->b, IR_FIRST, 0, operand(m, IR_F32, 1, 'L')));
    end_program(m, grows);
}

void texts_of_lanes(void)
{
    votes(16, false);
    votes(64, false);
    votes(16, true);
    reductions(false);
    reductions(true);
    for (unsigned lanes = 16; lanes <= 64; lanes *= 2)
        for (unsigned ops = 4; ops <= 16; ops += 12)
            quads(lanes, ops, false);
    quads(16, 8, true);
}

/* ---- registers ---- */

static const enum ir_type types[] = {IR_I1, IR_I8, IR_I16, IR_I32, IR_I64};

/* Parts of registers, read and written: under lanes' predicates, the warp's, constant ones, or none. */
static void parts(unsigned bits, bool warp, unsigned how)
{
    static const char predicates[] = "-LUC";
    struct kind *k =
        new_kind("parts of %u bits %s, predicate %c", bits, warp ? "of the warp" : "of lanes", predicates[how]);
    for (unsigned t = 0; t < 5; t++) {
        unsigned width = ir_type_bits(types[t]), count = width < bits ? bits / width : 1;
        if ((width == 1) != (bits == 1) || (bits == 64 && width < 8))
            continue;
        struct maker *m = begin_program(k, t % 3 == 1 ? 16 : 32);
        unsigned file = (warp ? m->warp : m->file)[bits];
        for (unsigned n = 0; n < count; n++) {
            ir_value on = how ? operand(m, IR_I1, 4 + n % 4, predicates[how]) : 0;
            ir_value v = ir_get_part(&m->b, file, 20, n * width % bits, types[t]);
            ir_set_part(&m->b, file, 30, (n + 1) % count * width % bits, types[t], v, on);
            keep(m, v);
            v = operand(m, types[t], 1, warp || n % 3 == 2 ? 'U' : 'L');
            ir_set_part(&m->b, file, 30 + 2 * (n % 2), n * width % bits, types[t], v, on);
        }
        end_program(m, t % 3 == 1 && !warp && how < 2);
    }
}

/* Where a row has 16 words, and lanes chosen by their numbers. */
static void columns(struct kind *k, unsigned how)
{
    struct maker *m = begin_program(k, 16);
    enum ir_type t = types[1 + how % 3];
    struct ir_reg reg = {.file = (uint16_t)m->file[32], .part = (uint8_t)t, .stride = 1, .elem = 2, .last = 30};
    reg.shift = (uint8_t)(how / 3 % 2 && t != IR_I32 ? 32 - ir_type_bits(t) : 0);
    ir_value lane = operand(m, IR_I32, 4, how & 8 ? 'U' : 'C'), on = how & 16 ? operand(m, IR_I1, 1, 'L') : 0;
    ir_value v = operand(m, t, 1, 'L');
    if (how & 32) /* rows that are known and not stored yet */
        ir_set(&m->b, m->file[32], 5, ir_op2(&m->b, IR_MUL, 0, operand(m, IR_I32, 1, 'L'), operand(m, IR_I32, 3, 'L')),
               0);
    if (how & 64)
        ir_set_lane(&m->b, reg, ir_lane_id(&m->b), lane, v, on);
    keep(m, ir_get_lane(&m->b, reg, ir_lane_id(&m->b), lane, t));
    if (how & 32) {
        keep(m, ir_get(&m->b, m->file[32], 7, IR_I32));
        ir_set(&m->b, m->file[32], 6, operand(m, IR_I32, 2, 'L'), 0);
        keep(m, ir_get_lane(&m->b, reg, ir_lane_id(&m->b), lane, t));
    }
    end_program(m, true);
}

/* Chosen by lanes: the interpreter does them, between runs. */
static void indexed(struct kind *k, bool warp)
{
    struct maker *m = begin_program(k, 32);
    struct ir_reg reg = {.file = (uint16_t)(warp ? m->warp : m->file)[32], .part = IR_I32, .stride = 1, .last = 7};
    ir_value index = ir_op2(&m->b, IR_AND, 0, operand(m, IR_I32, 1, warp ? 'U' : 'L'), operand(m, IR_I32, 1, 'C'));
    ir_value v = ir_get_dyn(&m->b, reg, index, IR_I32);
    v = ir_op2(&m->b, IR_XOR, 0, v, operand(m, IR_I32, 0, warp ? 'U' : 'L'));
    ir_set_dyn(&m->b, reg, index, v, operand(m, IR_I1, 1, warp ? 'U' : 'L'));
    keep(m, ir_op1(&m->b, IR_NOT, 0, v));
    end_program(m, false);
}

void texts_of_registers(void)
{
    for (unsigned bits = 1; bits <= 64; bits = bits == 1 ? 8 : 2 * bits)
        for (unsigned warp = 0; warp < 2; warp++)
            for (unsigned how = 0; how < 4; how++)
                if (!(warp && how == 1))
                    parts(bits, warp, how);
    for (unsigned kind = 0; kind < 16; kind++) {
        struct kind *k = new_kind("columns %u", kind);
        for (unsigned n = 0; n < 6; n++)
            columns(k, n | kind << 3);
    }
    struct kind *k = new_kind("indexed registers");
    indexed(k, false);
    indexed(k, true);
}

/* ---- memory ---- */

static const char *const spaces[] = {"constants", "global", "shared", "private", "inputs", "bus"};

static void access(struct kind *k, unsigned bounds, enum ir_type elem, unsigned how, bool grows)
{
    static const int64_t offsets[] = {0, 12, -8, (int64_t)5 << 33};
    struct maker *m = begin_program(k, grows || how % 3 == 0 ? 16 : how % 3 == 1 ? 64 : 32);
    unsigned kind = 0;
    for (unsigned i = 0; i < 6; i++)
        if (strncmp(k->name, spaces[i], strlen(spaces[i])) == 0)
            kind = i;
    m->pairs = how / 8 % 3; /* else addresses of 64 bits are registers of so many */
    uint64_t size = kind >= IR_SPACE_SHARED && kind != IR_SPACE_BUS ? 256 : 0;
    unsigned space = ir_add_space(
        m->p, (struct ir_space){.name = "m", .kind = (uint8_t)kind, .bounds = (uint8_t)bounds, .size = size});
    bool wide = kind == IR_SPACE_BUS && how & 1, warp = how & 2,
         store = how & 4 && kind != IR_SPACE_CONST && kind != IR_SPACE_INPUT;
    struct ir_mem mem = {.space = (uint16_t)space,
                         .elem = (uint8_t)elem,
                         .count = (uint8_t)(how & 32 ? 2 : 1),
                         .align = (uint8_t)(how & 8 ? 4 : 0),
                         .offset = offsets[wide ? how % 4 : how % 3]};
    enum ir_type t = elem == IR_I64 ? IR_I64 : how & 64 && elem == IR_I32 ? IR_F32 : IR_I32;
    ir_value at = operand(m, wide ? IR_I64 : IR_I32, 0, warp ? 'U' : 'L');
    ir_value on = how & 16 ? operand(m, IR_I1, 1, warp ? 'U' : 'L') : 0, data[2];
    if (how & 128 && !wide) /* an address that is made here: of a number of the warp and of lanes' */
        at = ir_op2(&m->b, IR_ADD, 0, ir_op2(&m->b, IR_SHL, 0, ir_lane_id(&m->b), operand(m, IR_I32, 7, 'C')),
                    operand(m, IR_I32, 2, 'U'));
    if (how & 128 && wide)
        at = ir_op2(&m->b, how & 8 ? IR_SUB : IR_ADD, 0, at, operand(m, IR_I64, 2, warp ? 'U' : 'L'));
    for (unsigned i = 0; i < 2; i++)
        data[i] = operand(m, t, 3 + i, how & 8 || warp ? 'U' : 'L');
    keep(m, ir_op2(&m->b, IR_ADD, 0, operand(m, IR_I32, 5, 'L'), operand(m, IR_I32, 3, 'C')));
    if (store) {
        ir_store(&m->b, mem, at, data, on);
    } else {
        ir_value v = ir_emit(&m->b, IR_LOAD, t, 0, mem.count, &at, 1, ir_add_mem(m->p, mem), 0, on);
        for (unsigned i = 0; i < mem.count; i++)
            keep(m, v + i);
        keep(m, ir_cvt(&m->b,
                       t == IR_F32   ? IR_F2S
                       : t == IR_I64 ? IR_TRUNC
                                     : IR_SEXT,
                       t == IR_I32 ? IR_I64 : IR_I32, 0, v));
    }
    keep(m, ir_op1(&m->b, IR_NOT, 0, operand(m, IR_I32, 6, 'L')));
    end_program(m, grows);
}

static void atomics(struct kind *k, unsigned space_kind)
{
    struct maker *m = begin_program(k, 16);
    unsigned space = ir_add_space(m->p, (struct ir_space){.name = "m", .kind = (uint8_t)space_kind});
    uint32_t mem = ir_add_mem(m->p, (struct ir_mem){.space = (uint16_t)space, .elem = IR_I32, .count = 1});
    for (unsigned op = IR_ATOMIC_ADD; op <= IR_ATOMIC_XCHG; op++) {
        ir_value args[2] = {operand(m, IR_I32, op % 8, op % 3 ? 'L' : 'U'), operand(m, IR_I32, 1, 'L')};
        ir_value v = ir_emit(&m->b, IR_ATOMIC, IR_I32, 0, 1, args, 2, mem, op, op % 2 ? operand(m, IR_I1, 0, 'L') : 0);
        keep(m, ir_op2(&m->b, IR_ADD, 0, v, ir_op1(&m->b, IR_NEG, 0, v)));
    }
    end_program(m, false);
}

void texts_of_memory(void)
{
    static const enum ir_type elems[] = {IR_I8, IR_I16, IR_I32, IR_I64};
    for (unsigned kind = 0; kind < 6; kind++)
        for (unsigned e = 0; e < 4; e++) {
            struct kind *k = new_kind("%s, %s", spaces[kind], ir_type_name(elems[e]));
            bool word = elems[e] == IR_I32, bus = kind == IR_SPACE_BUS;
            for (unsigned how = 0; how < 256; how += word || bus ? 1 : 5)
                if ((how % 3 == 0 || (word && (bus || kind == IR_SPACE_GLOBAL))) && (word || !(how & 64)))
                    access(k, how % 7 == 6 ? IR_BOUNDS_TRAP : IR_BOUNDS_ZERO, elems[e], how, bus && how % 4 > 1);
        }
    for (unsigned how = 0; how < 256; how++) { /* rows of a vector processor */
        static struct kind *k[3];
        if (how == 0)
            for (unsigned e = 0; e < 3; e++)
                k[e] = new_kind("bus, %s, grows", ir_type_name(elems[e]));
        if (!(how & 1))
            access(k[how / 2 % 3], how & 64 ? IR_BOUNDS_TRAP : IR_BOUNDS_ZERO, elems[how / 2 % 3], how & ~96u, true);
    }
    struct kind *k = new_kind("atomics");
    atomics(k, IR_SPACE_GLOBAL);
    atomics(k, IR_SPACE_BUS);
}

/* ---- stages ---- */

static void inputs(unsigned interp, unsigned n)
{
    static const char *const names[] = {"constant", "linear", "perspective", "colour"};
    struct kind *k = new_kind("%u inputs, %s", n, names[interp]);
    for (unsigned lanes = 16; lanes <= 64; lanes *= 4) {
        struct maker *m = begin_program(k, lanes);
        for (unsigned i = 0; i < 4; i++)
            ir_add_input(m->p,
                         (struct ir_slot){
                             .semantic = IR_SEM_GENERIC, .index = (uint16_t)i, .interp = (uint8_t)interp, .mask = 15});
        for (unsigned i = 0; i < n; i++)
            keep(m, ir_emit(&m->b, IR_INTERP, IR_F32, interp | (i % 3 == 2 ? i / 3 % 3 << 4 : 0), 1, NULL, 0, i / 4 % 4,
                            i % 4, 0));
        if (n > 4)
            for (unsigned i = 0; i < 12; i++) /* numbers enough for their rows to be made in the loop */
                keep(m,
                     ir_op2(&m->b, IR_FMUL, 0, operand(m, IR_F32, i % 4, 'L'), ir_const_f32(&m->b, 1.5f + (float)i)));
        end_program(m, false);
    }
}

static void outputs(unsigned how)
{
    struct kind *k = new_kind("outputs %u", how);
    struct maker *m = begin_program(k, how & 4 ? 64 : 16);
    for (unsigned i = 0; i < 2; i++)
        ir_add_output(m->p, (struct ir_slot){.semantic = IR_SEM_GENERIC, .index = (uint16_t)i, .mask = 15});
    for (unsigned i = 0; i < 5; i++) {
        ir_value v = operand(m, IR_F32, i, how & 1 && i % 2 ? 'U' : 'L');
        ir_value on = how & 2 ? operand(m, IR_I1, i, i % 2 ? 'U' : 'L') : 0;
        ir_emit(&m->b, IR_OUTPUT, IR_VOID, 0, 0, &v, 1, i / 4, i % 4, on);
        ir_value gone = operand(m, IR_I1, 5, how & 1 ? 'U' : 'L');
        if (i == 3)
            ir_emit(&m->b, IR_DISCARD, IR_VOID, 0, 0, &gone, 1, 0, 0, 0);
    }
    end_program(m, false);
}

static void system_values(void)
{
    struct kind *k = new_kind("system values");
    for (unsigned n = 0; n < IR_SYSVALS; n++) {
        struct maker *m = begin_program(k, 32);
        bool real = n <= IR_SYS_FRAG_W || n == IR_SYS_SAMPLE_POS || n == IR_SYS_POINT_COORD ||
                    (n >= IR_SYS_TESS_COORD && n <= IR_SYS_TESS_INNER);
        enum ir_type t = n == IR_SYS_FACE || n == IR_SYS_HELPER ? IR_I1 : real ? IR_F32 : IR_I32;
        ir_value v = ir_sysval(&m->b, (enum ir_sysval)n, t, 0);
        keep(m, v);
        keep(m, ir_select(&m->b, operand(m, IR_I1, 1, 'L'), v, operand(m, t, 2, 'L')));
        end_program(m, false);
    }
}

static void attributes(void)
{
    struct kind *k = new_kind("vertex inputs");
    for (unsigned lanes = 16; lanes <= 64; lanes *= 2) {
        struct maker *m = begin_program(k, lanes);
        m->p->stage = IR_VERTEX;
        for (unsigned i = 0; i < 3; i++)
            ir_add_input(m->p, (struct ir_slot){.index = (uint16_t)i, .mask = 15});
        for (unsigned i = 0; i < 12; i++)
            keep(m, ir_op2(&m->b, IR_FADD, 0, ir_emit(&m->b, IR_ATTR, IR_F32, 0, 1, NULL, 0, i / 4, i % 4, 0),
                           operand(m, IR_F32, 1, 'L')));
        end_program(m, false);
    }
}

/* Textures and services, which the interpreter does. */
static void services(void)
{
    struct maker *m = begin_program(new_kind("textures and services"), 16);
    ir_value at[3] = {operand(m, IR_F32, 0, 'L'), operand(m, IR_F32, 1, 'L'), operand(m, IR_F32, 2, 'U')};
    ir_value texel = ir_texture_op(&m->b, (struct ir_texture){.op = IR_TEX_LOD, .dim = IR_TEX_2D}, IR_F32, at, 3);
    for (unsigned i = 0; i < 4; i++)
        keep(m, ir_op2(&m->b, IR_FMUL, 0, texel + i, at[i % 3]));
    ir_value sample = operand(m, IR_I32, 1, 'L');
    ir_value place = ir_emit(&m->b, IR_SERVICE, IR_F32, 0, 4, &sample, 1, 0, IR_SVC_SAMPLE_POS, 0);
    keep(m, ir_op2(&m->b, IR_FADD, 0, place, place + 1));
    ir_value points[2] = {operand(m, IR_I32, 2, 'L'), operand(m, IR_I32, 3, 'L')};
    ir_value loaded = ir_image_op(&m->b, IR_SVC_IMAGE_LOAD, (struct ir_image){.dim = IR_TEX_2D}, points, 2);
    keep(m, ir_op1(&m->b, IR_NOT, 0, loaded));
    end_program(m, false);
}

/* A multiply-add that the JIT has itself: alone, with others for which the host flushes, and next to what minds. */
static void helpers(struct kind *k, unsigned how)
{
    static const char forms[3] = "LUC";
    struct maker *m = begin_program(k, how & 1 ? 64 : 16);
    unsigned chip = IR_NAN_CANON | IR_FLUSH_OUT | (how & 4 ? IR_FLUSH_IN : 0);
    ir_add_helper(m->p, (struct ir_helper){"odd", NULL, IR_HELPER_OTHER, false});
    ir_add_helper(m->p, (struct ir_helper){"mad", NULL, IR_HELPER_CUT_MAD, true});
    for (unsigned i = 0; i < 3; i++) {
        ir_value x[3];
        for (unsigned n = 0; n < 3; n++)
            x[n] = operand(m, IR_F32, i + n, how & 2 && n == i ? forms[1 + i % 2] : 'L');
        keep(m, ir_emit(&m->b, IR_HELPER, IR_F32, 0, 1, x, 3, i == 1 && how & 8 ? 0 : 1, i == 2 && how & 8, 0));
        if (how & 4 || how & 16)
            keep(m, ir_op2(&m->b, IR_FMUL, chip, x[0], x[1]));
        if (how & 16 && i == 1)
            keep(m, ir_op2(&m->b, IR_FADD, 0, x[0], x[2]));
    }
    end_program(m, false);
}

void texts_of_stages(void)
{
    for (unsigned interp = 0; interp < 4; interp++)
        for (unsigned n = 1; n <= 16; n *= 4)
            inputs(interp, n);
    for (unsigned how = 0; how < 8; how++)
        outputs(how);
    system_values();
    attributes();
    services();
    struct kind *k = NULL;
    for (unsigned how = 0; how < 32; how++) {
        if (how % 4 == 0)
            (k = new_kind("helpers %u", how / 4))->each_level = true;
        helpers(k, how);
    }
}
