/* Programs: text is parsed, checked, lifted, optimised and run with a small budget on inputs of zeros. Whatever is
 * refused must say why; whatever is lifted must satisfy the verifier, before and after optimising; and results must not
 * depend on the optimiser, nor on the engine, bits of NaNs included. */
#include "insn_change.h"
#include "text_words.h"
#include "verified.h"

#include "exec/exec.h"
#include "ir/pass.h"
#include "isa/tgsi/tgsi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LANES = EXEC_MAX_LANES, SLOTS = 32, BUDGET = 2000, CONSTANTS = 1024 };

struct outputs {
    _Alignas(64) uint32_t row[SLOTS * 4][LANES];
};

static void sample(void *device, const struct exec_texture_call *call)
{
    (void)device;
    for (unsigned c = 0; c < 4; c++)
        memset(call->results[c], 0, call->lanes * sizeof(uint32_t));
}

static enum exec_stop run(struct ir_program *p, enum exec_engine engine, struct arena *arena, struct outputs *out,
                          weft_diags *diags)
{
    static const struct exec_plane plane[SLOTS * 4];
    static _Alignas(64) const uint32_t zeros[LANES];
    static _Alignas(64) uint8_t constants[CONSTANTS];
    const void *attr[SLOTS * 4], *sysval[IR_SYSVALS * 4] = {0};
    void *output[SLOTS * 4];
    for (unsigned i = 0; i < SLOTS * 4; i++) {
        attr[i] = zeros;
        output[i] = out->row[i];
    }
    struct exec_program *code = NULL;
    const struct exec_options options = {.level = exec_best_level(), .engine = engine};
    if (exec_compile(p, &options, arena, &code, diags) != WEFT_OK)
        return EXEC_FAULT;
    struct exec_env *env = arena_alloc_aligned(arena, sizeof *env, 64);
    struct exec_warp *w = exec_warp_new(code);
    if (!env || !w)
        return EXEC_FAULT;
    *env = (struct exec_env){.plane = plane, .w_one = true, .frag_y_sign = 1, .attr = attr, .sysval = sysval,
                             .output = output, .texture = sample};
    for (uint32_t i = 0; i < p->nspaces && i < EXEC_MAX_SPACES; i++)
        env->space[i] = (struct exec_buffer){constants, sizeof constants};
    must(exec_bind(w, env) == WEFT_OK);
    enum exec_stop stop = exec_run(w, UINT64_MAX, UINT64_MAX, BUDGET);
    exec_warp_free(w);
    return stop;
}

static struct ir_program *lift(const struct isa_module *m, const struct source *src, struct arena *arena,
                               weft_diags *diags)
{
    struct ir_program *p = NULL;
    weft_status s = tgsi_lift(m, src, arena, &p, diags);
    must((s == WEFT_OK) == (p != NULL));
    must(s == WEFT_OK || s == WEFT_ERROR_MEMORY || weft_diags_errors(diags) > 0);
    must(!p || verified(p, diags));
    return p && p->io.ninputs <= SLOTS && p->io.noutputs <= SLOTS ? p : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MOST_TEXT)
        return 0;
    struct arena arena = {.limit = 256u << 20};
    weft_diags *diags = weft_diags_new();
    const struct source src = {"input", (const char *)data, size};
    const struct isa_params params = {NULL, -1};
    struct isa_module *m = NULL;
    if (tgsi_parse(&src, &params, &arena, &m, diags) == WEFT_OK && tgsi_check(m, &src, &params, diags) == WEFT_OK) {
        static struct outputs plain, optimised, native;
        memset(&plain, 0, sizeof plain);
        memset(&optimised, 0, sizeof optimised);
        memset(&native, 0, sizeof native);
        struct ir_program *p = lift(m, &src, &arena, diags), *q = p ? lift(m, &src, &arena, diags) : NULL;
        if (q) {
            q->integer_targets = true; /* all outputs are compared */
            ir_optimise(q);
            must(verified(q, diags));
            enum exec_stop a = run(p, EXEC_ENGINE_INTERP, &arena, &plain, diags);
            enum exec_stop b = run(q, EXEC_ENGINE_INTERP, &arena, &optimised, diags);
            enum exec_stop c = run(q, EXEC_ENGINE_JIT, &arena, &native, diags);
            must(b == c && memcmp(&optimised, &native, sizeof native) == 0);
            if (a == EXEC_DONE && b == EXEC_DONE)
                must(memcmp(&plain, &optimised, sizeof plain) == 0);
        }
    }
    weft_diags_free(diags);
    arena_free(&arena);
    return 0;
}

/* ---- changes ---- */

/* Where a line has its mnemonic, after "12: ", and how many operands there are: 0 when it is no instruction. */
static struct text_part mnemonic_of(const struct text_change *t, struct text_part line, unsigned *operands)
{
    struct text_part word = {line.at, 0};
    size_t end = line.at + line.size;
    while (word.at < end && strchr(" :0123456789", t->text[word.at]))
        word.at++;
    while (word.at + word.size < end && is_word_letter(t->text[word.at + word.size]))
        word.size++;
    *operands = word.size && word.at + word.size < end && t->text[word.at + word.size] == ' ';
    for (size_t i = word.at; *operands && i < end; i++)
        *operands += t->text[i] == ',';
    return word;
}

/* Another instruction with as many operands as that of some line. */
static void change_mnemonic(struct text_change *t, uint32_t *random)
{
    const weft_isa *isa = weft_isa_find("tgsi");
    unsigned operands, others = 0;
    struct text_part word = mnemonic_of(t, any_line(t, random), &operands);
    for (unsigned tries = 0; operands && tries < 64; tries++) {
        weft_isa_row row = {.syntax = ""};
        weft_isa_get_row(isa, next_random(random) % weft_isa_rows(isa), &row);
        others = strchr(row.syntax, ' ') != NULL;
        for (const char *s = row.syntax; others && *s; s++)
            others += *s == ',';
        if (others == operands) {
            text_replace(t, word, row.mnemonic, strlen(row.mnemonic));
            return;
        }
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static struct text_change change;
    uint32_t random = seed * 2654435761u | 1;
    size_t made = 0;
    if (seed % 4 == 1 && size && size <= MOST_TEXT) {
        memcpy(change.text, data, size);
        change.size = size;
        for (uint32_t turns = 1 + next_random(&random) % 4; turns; turns--)
            change_mnemonic(&change, &random);
        made = change.size <= most ? change.size : 0;
        memcpy(data, change.text, made);
    } else if (seed % 4) {
        made = change_text(&change, data, size, most, seed);
    }
    return made ? made : LLVMFuzzerMutate(data, size, most);
}
