/* texts.c - kinds of programs, and the numbers of what is made of them. */
#include "texts.h"

#include "exec/exec.h"
#include "exec/select.h"
#include "snapshot.h"

enum { KINDS = 1200, OPERANDS = 8, RESULTS = 240 };

static struct kind kinds[KINDS];
static unsigned nkinds;

struct kind *new_kind(const char *format, ...)
{
    va_list list;
    assert_true(nkinds < KINDS);
    struct kind *k = &kinds[nkinds++];
    va_start(list, format);
    vsnprintf(k->name, sizeof k->name, format, list);
    va_end(list);
    return k;
}

static bool is_shown(const struct kind *k)
{
    const char *name = getenv("WEFT_TEST_SHOW");
    return name && strcmp(name, k->name) == 0;
}

/* ---- a text and its number ---- */

static void add_bytes(struct texts *t, const char *text, size_t length)
{
    for (; length >= 8; length -= 8, text += 8) {
        uint64_t w;
        memcpy(&w, text, 8);
        t->digest = test_mixed(t->digest, w);
    }
    for (; length > 0; length--, text++)
        t->digest = (t->digest ^ (unsigned char)*text) * 0x100000001b3u;
}

/* Addresses of functions and tables differ from run to run; what LLVM calls the machine, from one distribution to
 * another. */
static void add_text(struct texts *t, const char *text, FILE *shown)
{
    static const char address[] = "inttoptr (i64 ", machine[] = "target triple = ";
    const char *named = strstr(text, machine);
    text = named ? named + strcspn(named, "\n") : text;
    t->count++;
    for (const char *p = text; (p = strchr(p, '\n')); p++)
        t->lines++;
    while (*text) {
        const char *found = strstr(text, address);
        size_t length = found ? (size_t)(found - text) + sizeof address - 1 : strlen(text);
        add_bytes(t, text, length);
        if (shown)
            fwrite(text, 1, length, shown);
        text += length;
        text += found ? strspn(text, "0123456789") : 0;
    }
}

/* ---- what is asked for ---- */

static const struct jit_api *module(void)
{
    const char *why = NULL;
    native_load_now();
    const struct jit_api *api = native_module(&why);
    if (!api)
        fail_msg("%s", why ? why : "no module");
    return api;
}

static bool takes_part(const struct kind *k, unsigned level, enum exec_form form)
{
    unsigned turn = k->programs - 1; /* it was counted */
    if (turn == 0)
        return true;
    bool now = k->each_level ? level != EXEC_BASELINE || turn % 4 == 0 : level == turn % EXEC_LEVELS;
    return now && (form == EXEC_FULL || turn % 4 == 3);
}

static void add_piece(struct kind *k, struct exec_program *p, const struct native_piece *of, enum exec_form form)
{
    static const char *const levels[EXEC_LEVELS] = {"baseline", "AVX2", "AVX-512"};
    FILE *shown = is_shown(k) ? stdout : NULL;
    for (unsigned level = 0; level < EXEC_LEVELS; level++) {
        struct native_form n = {0};
        if (!takes_part(k, level, form))
            continue;
        p->level = (enum exec_level)level; /* handlers stay those of the level that it was made for */
        struct jit_request *r = native_plan(p, of, form, module(), &n);
        char *text = r ? module()->text(r) : NULL;
        if (shown)
            fprintf(shown, "# %s, program %u, %s, %s lanes\n", k->name, k->programs, levels[level],
                    form == EXEC_FULL ? "all" : "some");
        if (text)
            add_text(&k->of[level], text, shown);
        k->empty += text && !strstr(text, "\ndefine ");
        free(text);
        free(r);
    }
    p->level = EXEC_BASELINE;
}

static struct exec_program *compile(struct kind *k, struct ir_program *ir, struct arena *a, bool grows)
{
    struct exec_program *p = NULL;
    const struct exec_options options = {.level = EXEC_BASELINE, .engine = EXEC_ENGINE_INTERP, .extensible = grows};
    weft_diags *d = weft_diags_new();
    if (ir_verify(ir, d) != WEFT_OK)
        fail_msg("%s, program %u: %s", k->name, k->programs, weft_diags_get(d, 0)->message);
    weft_status status = exec_compile(ir, &options, a, &p, d);
    k->programs++;
    k->refused += status != WEFT_OK;
    weft_diags_free(d);
    return status == WEFT_OK ? p : NULL;
}

static struct native_piece whole(const struct exec_program *p)
{
    return (struct native_piece){
        .code = p->compiler->code, .ncode = (uint32_t)p->compiler->ncode, .first = IR_ENTRY, .end = p->nblocks};
}

void look_at_blocks(struct kind *k, struct ir_program *ir, struct arena *a, const uint32_t *blocks, uint32_t count)
{
    if (!snapshot_tries(k->name))
        return;
    struct exec_program *p = compile(k, ir, a, true);
    struct native_piece piece = p ? whole(p) : (struct native_piece){0};
    piece.blocks = blocks;
    piece.nblocks = count;
    if (p)
        add_piece(k, p, &piece, EXEC_FULL);
}

void look(struct kind *k, struct ir_program *ir, struct arena *a, bool grows)
{
    enum { MOST = 64 };
    uint32_t all[MOST];
    if (!snapshot_tries(k->name))
        return;
    if (grows) {
        assert_true(ir->nblocks <= MOST);
        for (uint32_t i = IR_ENTRY; i < ir->nblocks; i++)
            all[i - IR_ENTRY] = i;
        look_at_blocks(k, ir, a, all, ir->nblocks - IR_ENTRY);
        return;
    }
    struct exec_program *p = compile(k, ir, a, false);
    struct native_piece piece = p ? whole(p) : (struct native_piece){0};
    for (unsigned form = 0; p && form < EXEC_FORMS; form++)
        add_piece(k, p, &piece, (enum exec_form)form);
}

char *list_kinds(const char *first)
{
    static char text[KINDS * 240];
    size_t n = (size_t)snprintf(text, sizeof text, "made by: %s\n", first);
    for (unsigned i = 0; i < nkinds; i++) {
        const struct kind *k = &kinds[i];
        if (!snapshot_tries(k->name))
            continue;
        n += (size_t)snprintf(text + n, sizeof text - n, "%s: %u programs, %u refused, %u empty", k->name, k->programs,
                              k->refused, k->empty);
        for (unsigned level = 0; level < EXEC_LEVELS; level++)
            n += (size_t)snprintf(text + n, sizeof text - n, "; %u of %llu lines %08x", k->of[level].count,
                                  (unsigned long long)k->of[level].lines,
                                  (unsigned)(k->of[level].digest * 0x9e3779b97f4a7c15u >> 32));
        n += (size_t)snprintf(text + n, sizeof text - n, "\n");
    }
    return text;
}

/* ---- programs ---- */

static uint32_t nowhere(void *state, struct exec_masks *m, const struct ir_control *c, const lane_mask *args,
                        const void *const *rows, const char **fault)
{
    (void)state, (void)m, (void)args, (void)rows, (void)fault;
    return c->target[0];
}

/* Nothing runs. */
const struct exec_policy policy_plain = {.name = "test", .control = nowhere};
const struct exec_policy policy_low = {.name = "low", .control = nowhere, .state_size = 16, .low_at = 8};

struct maker *begin_program(struct kind *k, unsigned lanes)
{
    static const unsigned widths[] = {1, 8, 16, 32, 64};
    static const char *const names[2][5] = {{"f", "b", "h", "r", "l"}, {"uf", "ub", "uh", "ur", "ul"}};
    static struct maker maker;
    struct maker *m = &maker;
    *m = (struct maker){.kind = k, .pairs = true, .lane_predicate = true};
    m->p = ir_program_new(&m->arena, "test", IR_FRAGMENT, lanes);
    m->b = (struct ir_builder){m->p, IR_ENTRY, 0};
    m->p->policy = &policy_plain;
    for (unsigned i = 0; i < 5; i++)
        for (unsigned warp = 0; warp < 2; warp++) {
            const struct ir_file f = {.name = names[warp][i],
                                      .bits = widths[i],
                                      .uniform = warp,
                                      .preserved = true,
                                      .count = 2 * (OPERANDS + RESULTS)};
            (warp ? m->warp : m->file)[widths[i]] = ir_add_file(m->p, f);
        }
    m->p->blocks[IR_ENTRY].insns = 1;
    return m;
}

void finish_program(struct maker *m, bool grows)
{
    look(m->kind, m->p, &m->arena, grows);
    arena_free(&m->arena);
}

void end_program(struct maker *m, bool grows)
{
    ir_end(&m->b);
    finish_program(m, grows);
}

static ir_value number(struct maker *m, enum ir_type t, unsigned n)
{
    static const uint64_t few[OPERANDS] = {5, 3, 0x3c, 1, 0, 31, 0x7f, 2};
    static const uint64_t f16[] = {0x3c00, 0x4200, 0xb800}, f32[] = {0x3f800000, 0x40400000, 0xbf000000};
    static const uint64_t f64[] = {0x3ff0000000000000, 0x4008000000000000, 0xbfe0000000000000};
    uint64_t bits = t == IR_F16 ? f16[n % 3] : t == IR_F32 ? f32[n % 3] : t == IR_F64 ? f64[n % 3] : few[n % OPERANDS];
    return ir_const(&m->b, t, t == IR_I1 ? n & 1 : bits);
}

static unsigned bits_of_element(const struct maker *m, enum ir_type t)
{
    unsigned bits = ir_type_bits(t);
    return bits == 64 && m->pairs ? 32 : bits;
}

ir_value operand(struct maker *m, enum ir_type t, unsigned n, char form)
{
    if (form == 'C')
        return number(m, t, n);
    return ir_get(&m->b, (form == 'U' ? m->warp : m->file)[bits_of_element(m, t)], 2 * n, t);
}

void keep(struct maker *m, ir_value v)
{
    if (!v)
        return;
    enum ir_type t = ir_type_of(&m->b, v);
    bool uniform = m->p->value_uniform[v];
    ir_value on = 0;
    if (m->predicated)
        on = operand(m, IR_I1, OPERANDS - 1, uniform || !m->lane_predicate ? 'U' : 'L');
    unsigned file = (uniform ? m->warp : m->file)[bits_of_element(m, t)];
    ir_set(&m->b, file, 2 * (OPERANDS + m->results % RESULTS), v, on);
    m->results++;
}
