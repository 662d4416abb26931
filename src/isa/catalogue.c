/* catalogue.c - the instruction sets and their instructions as the public interface offers them. */
#include "isa/isa.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <weft/isa.h>

static_assert((int)WEFT_VERTEX == IR_VERTEX && (int)WEFT_TESS_CONTROL == IR_TESS_CTRL &&
                  (int)WEFT_TESS_EVALUATION == IR_TESS_EVAL && (int)WEFT_GEOMETRY == IR_GEOMETRY &&
                  (int)WEFT_FRAGMENT == IR_FRAGMENT && (int)WEFT_COMPUTE == IR_COMPUTE &&
                  (int)WEFT_STAGES == IR_STAGES,
              "weft_stage and enum ir_stage are the same numbers");
static_assert((int)WEFT_DOCUMENTED == ISA_DOCUMENTED && (int)WEFT_KNOWN == ISA_KNOWN &&
                  (int)WEFT_INFERRED == ISA_INFERRED && (int)WEFT_DIFFERS == ISA_DIFFERS,
              "weft_provenance and enum isa_provenance are the same numbers");

/* weft_isa is the public, opaque name of struct isa. */
static const struct isa *inside(const weft_isa *isa)
{
    return (const struct isa *)isa;
}

static const weft_isa *outside(const struct isa *isa)
{
    return (const weft_isa *)isa;
}

const char *weft_stage_name(weft_stage stage)
{
    static const char *const names[] = {"vertex",   "tess-control", "tess-evaluation",
                                        "geometry", "fragment",     "compute"};
    return (int)stage >= 0 && (int)stage < IR_STAGES ? names[stage] : "none";
}

const char *weft_provenance_name(weft_provenance provenance)
{
    static const char *const names[] = {"documented", "known", "inferred", "differs"};
    return (size_t)provenance < sizeof names / sizeof names[0] ? names[provenance] : "unknown";
}

size_t weft_isa_count(void)
{
    size_t n = 0;
    while (isa_list[n])
        n++;
    return n;
}

const weft_isa *weft_isa_get(size_t index)
{
    return index < weft_isa_count() ? outside(isa_list[index]) : NULL;
}

const weft_isa *weft_isa_find(const char *name)
{
    const struct isa_language *language;
    return name ? outside(isa_find_language(name, &language)) : NULL;
}

const weft_isa *weft_isa_of_file(const char *file_name)
{
    const struct isa_language *language;
    return outside(isa_of_file(file_name, &language));
}

weft_stage weft_stage_of_file(const char *file_name)
{
    const struct isa_language *language;
    isa_of_file(file_name, &language);
    return language ? (weft_stage)language->stage : WEFT_STAGE_NONE;
}

const char *weft_isa_name(const weft_isa *isa)
{
    return inside(isa)->name;
}

const char *weft_isa_title(const weft_isa *isa)
{
    return inside(isa)->title;
}

const char *weft_isa_document(const weft_isa *isa)
{
    return inside(isa)->document;
}

int weft_isa_has_places(const weft_isa *isa)
{
    return inside(isa)->has_places;
}

int weft_isa_has_elf(const weft_isa *isa)
{
    return inside(isa)->encode_elf != NULL;
}

int weft_isa_takes_base(const weft_isa *isa)
{
    return inside(isa)->takes_base;
}

const char *weft_isa_separator(const weft_isa *isa)
{
    return inside(isa)->separator ? inside(isa)->separator : " ";
}

unsigned weft_isa_unit(const weft_isa *isa)
{
    return inside(isa)->unit;
}

const char *weft_isa_chip(const weft_isa *isa, size_t index)
{
    const char *const *chips = inside(isa)->chips;
    for (size_t i = 0; chips && chips[i]; i++)
        if (i == index)
            return chips[i];
    return NULL;
}

size_t weft_isa_rows(const weft_isa *isa)
{
    return inside(isa)->nrows;
}

static int get_row(const weft_isa *isa, size_t index, bool texts, weft_isa_row *row)
{
    if (index >= inside(isa)->nrows)
        return 0;
    struct isa_row_info info = {0};
    inside(isa)->row_info((uint32_t)index, &info);
    if (texts && inside(isa)->row_texts)
        inside(isa)->row_texts((uint32_t)index, &info);
    const struct isa_difference *difference =
        info.provenance >= ISA_DIFFERS ? &inside(isa)->differences[info.provenance - ISA_DIFFERS] : NULL;
    *row = (weft_isa_row){
        .mnemonic = info.mnemonic ? info.mnemonic : "",
        .syntax = info.syntax ? info.syntax : "",
        .pattern = info.pattern ? info.pattern : "",
        .group = info.group ? info.group : "",
        .operands = info.operands ? info.operands : "",
        .chips = info.chips,
        .stages = info.stages,
        .provenance = difference ? WEFT_DIFFERS : (weft_provenance)info.provenance,
        .difference = difference ? difference->entry : NULL,
        .reason = difference ? difference->reason : NULL,
        .executes = info.executes,
        .modifiers = info.modifiers,
        .unit = info.unit,
        .doc = info.doc ? info.doc : "",
    };
    return 1;
}

int weft_isa_row_is(const weft_isa *isa, size_t index, const char *word)
{
    weft_isa_row row;
    if (!get_row(isa, index, false, &row))
        return 0;
    return strcasecmp(row.mnemonic, word) == 0 ||
           (inside(isa)->row_is && inside(isa)->row_is((uint32_t)index, word));
}

/* The row that the longest beginning of a line names: "FADD.f32.clamp_0_1 r0, ..." is FADD.f32; past the end: none. */
static size_t row_of_line(const weft_isa *isa, const char *line)
{
    char word[40];
    size_t row, rows = inside(isa)->nrows;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(line, " ,"), line);
    for (char *end = word; end; end = strrchr(word, '.')) {
        if (end > word)
            *end = '\0';
        for (row = 0; row < rows && !weft_isa_row_is(isa, row, word);)
            row++;
        if (row < rows)
            return row;
    }
    return rows;
}

const char *weft_isa_other_name(const weft_isa *isa, size_t index, size_t *row, const char **what)
{
    uint32_t number = 0;
    const struct isa_meant *meant = inside(isa)->meant;
    *what = "";
    if (inside(isa)->other_name) {
        const char *name = inside(isa)->other_name(index, &number, what);
        *row = number;
        return name;
    }
    while (meant && meant->word && index--)
        meant++;
    if (!meant || !meant->word)
        return NULL;
    *what = meant->what;
    *row = row_of_line(isa, strchr(meant->what, ' ') + 1);
    return meant->word;
}

int weft_isa_get_row(const weft_isa *isa, size_t index, weft_isa_row *row)
{
    return get_row(isa, index, true, row);
}

int weft_isa_get_row_names(const weft_isa *isa, size_t index, weft_isa_row *row)
{
    return get_row(isa, index, false, row);
}
