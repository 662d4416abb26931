/* program.c - programs as the public interface offers them, over what an instruction set provides. */
#include "isa/program.h"

#include "base/pages.h"
#include "base/sized.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Spans hold 32-bit offsets; the limit leaves room for offsets one past the end. */
static const size_t INPUT_LIMIT = (size_t)1 << 30;

static weft_status out_of_memory(weft_diags *diags, const char *name)
{
    diag_add(diags, WEFT_ERROR, "memory", name, NULL, "out of memory");
    return WEFT_ERROR_MEMORY;
}

static const char *nearest_isa(const char *name)
{
    const char *names[16];
    size_t n = 0;
    while (isa_list[n] && n < sizeof names / sizeof names[0]) {
        names[n] = isa_list[n]->name;
        n++;
    }
    return nearest_word(name, strlen(name), names, n);
}

/* The chip as the instruction set's own list spells it, so that the program need not copy it. */
static const char *find_chip(const struct isa *isa, const char *chip)
{
    for (size_t i = 0; isa->chips && isa->chips[i]; i++)
        if (strcmp(isa->chips[i], chip) == 0)
            return isa->chips[i];
    return NULL;
}

static const char *did_you_mean(struct arena *a, const char *word)
{
    return word ? arena_printf(a, "did you mean '%s'?", word) : NULL;
}

/* A chip that the instruction set does not have: what it has instead. */
static void refuse_chip(const struct weft_program *p, const char *chip, weft_diags *diags)
{
    const char *const *chips = p->isa->chips;
    char hint[160] = "leave out the chip (-m, weft_program_options.chip)";
    size_t n = 0, length = 0;
    while (chips && chips[n])
        n++;
    if (n && !word_hint(chip, strlen(chip), chips, n, hint, sizeof hint))
        for (size_t i = 0; i < n && length < sizeof hint; i++)
            length += (size_t)snprintf(hint + length, sizeof hint - length, "%s %s", i ? "," : "one of", chips[i]);
    if (n)
        diag_add(diags, WEFT_ERROR, "unknown-chip", NULL, hint, "%s has no chip '%s'", p->isa->name, chip);
    else
        diag_add(diags, WEFT_ERROR, "unknown-chip", NULL, hint, "%s has no chips to choose from", p->isa->name);
}

static bool copy_linkage(struct weft_program *p, const weft_program_options *options)
{
    if (!options || !options->linkage)
        return true;
    const char *name = options->linkage_name ? options->linkage_name : "<linkage>";
    struct source *src = &p->linkage.source;
    *src = (struct source){arena_strndup(&p->arena, name, strlen(name)),
                           arena_strndup(&p->arena, options->linkage, options->linkage_size), options->linkage_size};
    p->params.linkage = &p->linkage;
    return src->name && src->text;
}

/* False, having said so, when an option means nothing to the instruction set. */
static bool options_fit(const struct isa *isa, const weft_program_options *o, weft_diags *diags)
{
    static const struct {
        const char *code, *why;
    } rules[] = {
        {"no-linkage", "say how they are linked themselves"},
        {"no-groups", "have no instruction groups to pack"},
        {"no-labels", "get no labels at the targets of branches"},
        {"no-base", "have no addresses: a base means nothing to them"},
        {"no-entry", "start at their first instruction: an entry means nothing to them"},
    };
    const bool refused[] = {o->linkage && !isa->takes_linkage, o->pack && !isa->packs, o->labels && !isa->labels,
                            o->base && !isa->takes_base, o->entry && !isa->takes_entry};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (refused[i]) {
            diag_add(diags, WEFT_ERROR, rules[i].code, NULL, NULL, "%s programs %s", isa->name, rules[i].why);
            return false;
        }
    if (o->base > UINT32_MAX) {
        diag_add(diags, WEFT_ERROR, "bad-address", NULL, NULL, "a base of 0x%llx: addresses have 32 bits",
                 (unsigned long long)o->base);
        return false;
    }
    return true;
}

/* False, having said so, when there are macros for a text that has none, or one cannot be. */
static bool macros_fit(const struct weft_program *p, const weft_program_options *o, weft_diags *diags)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    const char *define = o->ndefines ? o->defines[0] : o->nfolders ? o->folders[0] : o->ncommon ? o->common[0] : NULL;
    if (define && !p->params.language) {
        diag_add(diags, WEFT_ERROR, "no-macros", NULL, NULL,
                 "%s programs have no macros and include no files: '%.200s' is for GLSL and HLSL", p->isa->name,
                 define);
        return false;
    }
    for (size_t i = 0; i < o->ndefines; i++) {
        const char *d = o->defines[i], *end = d + strspn(d, letters);
        if (end > d && (*d < '0' || *d > '9') && (!*end || *end == '=') && !strpbrk(end, "\r\n"))
            continue;
        diag_add(diags, WEFT_ERROR, "no-macros", NULL, "write NAME or NAME=VALUE", "'%.200s' is not a macro", d);
        return false;
    }
    for (size_t i = 0; i < o->ncommon; i++)
        if (strpbrk(o->common[i], "\"\r\n")) {
            diag_add(diags, WEFT_ERROR, "no-macros", NULL, NULL, "'%.200s' cannot be included: its name has a quote",
                     o->common[i]);
            return false;
        }
    return true;
}

/* The language and the stage that the extension of a file says, where nobody else did. */
static void take_language(struct weft_program *p, const char *name)
{
    const struct isa_language *of_file;
    if (isa_of_file(name, &of_file) != p->isa || !of_file)
        return;
    if (!p->params.language)
        p->params.language = of_file;
    if (p->params.stage < 0)
        p->params.stage = of_file->stage;
}

/* Everything about a new program but its contents. */
static weft_status set_up(struct weft_program *p, const char *isa, const char *name,
                          const weft_program_options *options, weft_diags *diags)
{
    const struct isa_language *language = NULL;
    p->isa = isa ? isa_find_language(isa, &language) : NULL;
    if (!p->isa) {
        diag_add(diags, WEFT_ERROR, "unknown-isa", NULL, did_you_mean(&p->arena, nearest_isa(isa ? isa : "")),
                 "unknown instruction set '%s'", isa ? isa : "");
        return WEFT_ERROR_USAGE;
    }
    p->params = (struct isa_params){.stage = options ? (int)options->stage : -1, .language = language};
    take_language(p, name);
    if (p->params.stage < -1 || p->params.stage >= IR_STAGES) {
        diag_add(diags, WEFT_ERROR, "unknown-stage", NULL, NULL, "stage %d does not exist", p->params.stage);
        return WEFT_ERROR_USAGE;
    }
    p->params.shorten = options && options->shorten;
    if (options && options->chip) {
        p->params.chip = find_chip(p->isa, options->chip);
        if (!p->params.chip) {
            refuse_chip(p, options->chip, diags);
            return WEFT_ERROR_USAGE;
        }
    }
    if (options && (!options_fit(p->isa, options, diags) || !macros_fit(p, options, diags)))
        return WEFT_ERROR_USAGE;
    p->params.labels = options && options->labels;
    p->params.program = options ? options->program : 0;
    p->params.pack = options && options->pack;
    p->params.base = options ? options->base : 0;
    p->params.linear = options && options->linear;
    p->params.strict = options && options->strict;
    p->params.no_relax = options && options->no_relax;
    if (options && options->entry)
        p->params.entry = arena_strndup(&p->arena, options->entry, strlen(options->entry));
    p->source.name = arena_strndup(&p->arena, name, strlen(name));
    if (!p->source.name || !copy_linkage(p, options))
        return out_of_memory(diags, name);
    return WEFT_OK;
}

static weft_status read_text(struct weft_program *p, const void *text, size_t size, weft_diags *diags)
{
    p->source.text = arena_strndup(&p->arena, text ? text : "", size);
    p->source.size = size;
    if (!p->source.text)
        return out_of_memory(diags, p->source.name);
    return p->isa->parse(&p->source, &p->params, &p->arena, &p->module, diags);
}

static weft_status read_bytes(struct weft_program *p, const void *bytes, size_t size, weft_diags *diags)
{
    return p->isa->decode(bytes, size, p->source.name, &p->params, &p->arena, &p->module, diags);
}

typedef weft_status read_fn(struct weft_program *p, const void *input, size_t size, weft_diags *diags);

void weft_program_options_init_sized(weft_program_options *options, size_t size)
{
    const weft_program_options defaults = {.stage = WEFT_STAGE_NONE};
    sized_init(options, size, &defaults, sizeof defaults);
}

static weft_status program_new(read_fn *read, const char *isa, const char *name, const void *input, size_t size,
                               const weft_program_options *options, weft_diags *diags, weft_program **out)
{
    weft_program_options known;
    *out = NULL;
    if (options) {
        weft_status status = sized_copy(&known, sizeof known, SIZED_FIRST(weft_program_options, labels), options,
                                        "weft_program_options", diags);
        if (status != WEFT_OK)
            return status;
        options = &known;
    }
    if (size > INPUT_LIMIT) {
        diag_add(diags, WEFT_ERROR, "too-large", name, NULL, "input of more than 1 GiB");
        return WEFT_ERROR_MEMORY;
    }
    struct weft_program *p = calloc(1, sizeof *p);
    if (!p)
        return out_of_memory(diags, name);
    weft_status status = set_up(p, isa, name, options, diags);
    p->arena.limit = options && options->memory && options->memory < SIZE_MAX ? (size_t)options->memory : 0;
    struct isa_compiling compiling = {0};
    if (options)
        compiling = (struct isa_compiling){options->defines, options->ndefines, options->folders, options->nfolders,
                                           options->includes != 0, options->common, options->ncommon};
    p->params.compiling = &compiling;
    if (status == WEFT_OK)
        status = read(p, input, size, diags);
    p->params.compiling = NULL;
    /* What it began with may be more than the limit. */
    bool beyond = p->arena.limit && p->arena.total > p->arena.limit;
    if (status == WEFT_OK && (!p->module || arena_failed(&p->arena) || beyond))
        status = WEFT_ERROR_MEMORY;
    if (status != WEFT_OK) {
        weft_program_free(p);
        return diags_memory(diags, name, status);
    }
    *out = p;
    return WEFT_OK;
}

uint32_t weft_program_count(const char *isa, const char *text, size_t size)
{
    const struct isa_language *language;
    const struct isa *set = isa ? isa_find_language(isa, &language) : NULL;
    struct source source = {"", text, size};
    if (!set || size > INPUT_LIMIT)
        return 0;
    return set->programs ? set->programs(&source) : 1;
}

weft_status weft_program_from_text(const char *isa, const char *name, const char *text, size_t size,
                                   const weft_program_options *options, weft_diags *diags, weft_program **out)
{
    return program_new(read_text, isa, name ? name : "<text>", text, size, options, diags, out);
}

weft_status weft_program_from_bytes(const char *isa, const char *name, const uint8_t *bytes, size_t size,
                                    const weft_program_options *options, weft_diags *diags, weft_program **out)
{
    return program_new(read_bytes, isa, name ? name : "<bytes>", bytes, size, options, diags, out);
}

void weft_program_free(weft_program *p)
{
    if (!p)
        return;
    arena_free(&p->arena);
    free(p);
}

/* A copy of `size` bytes of an arena for the caller, who frees it. */
static weft_status hand_over(const void *data, size_t size, void **out)
{
    uint8_t *copy = malloc(size + 1);
    if (!copy)
        return WEFT_ERROR_MEMORY;
    ask_for_large_pages(copy, size);
    if (size)
        memcpy(copy, data, size);
    *out = copy;
    return WEFT_OK;
}

/* Places as the caller gets them. */
static weft_status hand_over_places(const struct isa_places *from, weft_place **places, size_t *count)
{
    *count = 0;
    *places = from->count ? calloc(from->count, sizeof **places) : NULL;
    if (from->count && !*places)
        return WEFT_ERROR_MEMORY;
    for (uint32_t i = 0; i < from->count; i++) {
        const struct isa_place *at = &from->place[i];
        (*places)[i] = (weft_place){at->address, at->offset, at->size, at->text};
    }
    *count = from->count;
    return WEFT_OK;
}

weft_status weft_program_listing(const weft_program *p, char **text, size_t *size, weft_place **places, size_t *count)
{
    struct arena scratch = {0};
    struct isa_places found = {0};
    char *printed = NULL;
    size_t length = 0;
    weft_status status =
        p->isa->print(p->module, &scratch, &printed, &length, places && p->isa->has_places ? &found : NULL);
    if (status == WEFT_OK)
        printed = arena_release(&scratch, printed);
    else
        printed = NULL;
    if (places) {
        *places = NULL;
        *count = 0;
        if (status == WEFT_OK)
            status = hand_over_places(&found, places, count);
    }
    arena_free(&scratch);
    if (status != WEFT_OK) {
        free(printed);
        printed = NULL;
    }
    *text = printed;
    if (size)
        *size = printed ? length : 0;
    return status;
}

weft_status weft_program_text(const weft_program *p, char **text, size_t *size)
{
    return weft_program_listing(p, text, size, NULL, NULL);
}

size_t weft_program_unknown(const weft_program *p)
{
    return p->isa->unknown ? p->isa->unknown(p->module) : 0;
}

typedef weft_status encode_fn(const struct isa_module *m, struct arena *arena, uint8_t **bytes, size_t *size,
                              weft_diags *diags);

static weft_status encode_with(encode_fn *encode, const weft_program *p, uint8_t **bytes, size_t *size,
                               weft_diags *diags)
{
    struct arena scratch = {0};
    uint8_t *encoded = NULL;
    size_t length = 0;
    void *copy = NULL;
    weft_status status = encode(p->module, &scratch, &encoded, &length, diags);
    if (status == WEFT_OK)
        status = hand_over(encoded, length, &copy);
    arena_free(&scratch);
    *bytes = copy;
    *size = copy ? length : 0;
    return diags_memory(diags, p->source.name, status);
}

weft_status weft_program_bytes(const weft_program *p, uint8_t **bytes, size_t *size, weft_diags *diags)
{
    return encode_with(p->isa->encode, p, bytes, size, diags);
}

weft_status weft_program_elf(const weft_program *p, uint8_t **bytes, size_t *size, weft_diags *diags)
{
    *bytes = NULL;
    *size = 0;
    if (p->isa->encode_elf)
        return encode_with(p->isa->encode_elf, p, bytes, size, diags);
    diag_add(diags, WEFT_ERROR, "unsupported", p->source.name, NULL,
             "%s programs cannot be written as ELF files", p->isa->name);
    return WEFT_ERROR_UNSUPPORTED;
}

/* What a run of the program would say besides. */
static weft_status check_by_lifting(const weft_program *p, weft_diags *diags)
{
    struct arena scratch = {0};
    struct ir_program *ir = NULL;
    weft_status status = isa_lift(p->isa, p->module, p->source.name, program_source(p), &scratch, &ir, diags);
    arena_free(&scratch);
    return status;
}

weft_status weft_program_check(const weft_program *p, weft_diags *diags)
{
    weft_status status = isa_check(p->isa, p->module, p->source.name, program_source(p), &p->params, diags);
    bool lifts = p->isa->lifts_alone && weft_program_stage(p) != WEFT_STAGE_NONE;
    status = status == WEFT_OK && lifts ? check_by_lifting(p, diags) : status;
    return diags_memory(diags, p->source.name, status);
}

const weft_isa *weft_program_isa(const weft_program *p)
{
    return (const weft_isa *)p->isa;
}

weft_stage weft_program_stage(const weft_program *p)
{
    int stage = p->isa->stage(p->module);
    return (weft_stage)(stage >= 0 ? stage : p->params.stage);
}

void weft_free(void *memory)
{
    free(memory);
}
