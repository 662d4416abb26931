/* dis_guess.c - weft dis --guess: which instruction set, chip and stage bytes could be of.
 *
 * Bytes of another instruction set decode like random ones. So each candidate is first asked how much of random bytes
 * it knows; what it knows of the input beyond that is evidence, and so is a target of a branch that is an instruction's
 * address. Instruction sets that know nearly every word need the second kind. */
#include "cli/dis.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 16, RANDOM_BYTES = 1 << 14, MOST_CANDIDATES = 128, STAGES_TRIED = 4 };

struct candidate {
    const weft_isa *isa;
    const char *chip;
    weft_stage stage;
    size_t known, unknown;       /* instructions */
    size_t targets, targets_hit; /* of branches; those that are an instruction's address */
    size_t ends;
    double score;
};

static int by_score(const void *a, const void *b)
{
    const struct candidate *left = a, *right = b;
    if (left->score != right->score)
        return left->score > right->score ? -1 : 1;
    if (left->isa != right->isa)
        return weft_isa_name(left->isa)[0] < weft_isa_name(right->isa)[0] ? -1 : 1;
    return left->known > right->known ? -1 : left->known < right->known;
}

/* Count what the candidate knows. begins[k]: an instruction begins at byte k. */
static void count_known(struct candidate *c, const weft_decoder *decoder, const uint8_t *bytes, size_t size,
                        uint8_t *begins)
{
    weft_insn insn;
    memset(begins, 0, size);
    for (int pass = 0; pass < 2; pass++)
        for (size_t at = 0; at < size; at += insn.size) {
            bool known = weft_insn_decode(decoder, bytes + at, size - at, at, &insn) == WEFT_OK;
            if (insn.size == 0)
                break;
            if (pass == 0) {
                begins[at] = 1;
                c->known += known;
                c->unknown += !known;
                c->ends += known && insn.flow == WEFT_FLOW_END;
            } else if (known && insn.has_target) {
                c->targets++;
                c->targets_hit += insn.target < size && begins[insn.target];
            }
        }
}

/* The share of random instructions that it knows. */
static double chance(const struct candidate *c, const weft_decoder *decoder, uint8_t *begins)
{
    static const uint64_t seed = UINT64_C(0x2545f4914f6cdd1d);
    uint8_t *bytes = cli_kept(malloc(RANDOM_BYTES));
    struct candidate random = *c;
    uint64_t state = seed;
    if (!bytes)
        return 0.5;
    for (size_t i = 0; i < RANDOM_BYTES; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        bytes[i] = (uint8_t)(state >> 56);
    }
    random.known = random.unknown = 0;
    count_known(&random, decoder, bytes, RANDOM_BYTES, begins);
    free(bytes);
    return (double)random.known / (double)(random.known + random.unknown + 1);
}

/* 0 to 100. An instruction that it knows is worth as much as random bytes would rarely be one; one that it does not
 * know counts against it. */
static double score_of(const struct candidate *c, double by_chance)
{
    double n = (double)(c->known + c->unknown), share = n > 0 ? (double)c->known / n : 0;
    double hit = c->targets ? (double)c->targets_hit / (double)c->targets : 0.5;
    double beyond = (share - by_chance) / (1 - by_chance + 1e-9);
    beyond = beyond < 0 ? 0 : beyond;
    double weight = 1 - by_chance; /* how much a known word says */
    double score = 100 * beyond * (weight + (1 - weight) * hit) * (0.5 + 0.5 * hit);
    return c->ends ? score : score * 0.9;
}

static weft_status try_one(struct candidate *c, const uint8_t *bytes, size_t size, uint8_t *begins)
{
    weft_decoder_options how = {sizeof how, c->chip, c->stage};
    weft_decoder *decoder;
    weft_status status = weft_decoder_new(weft_isa_name(c->isa), &how, &decoder);
    if (status != WEFT_OK)
        return status;
    count_known(c, decoder, bytes, size, begins);
    c->score = score_of(c, chance(c, decoder, begins));
    weft_decoder_free(decoder);
    return WEFT_OK;
}

/* Each instruction set with each of its chips and with the stages that hardware has. */
static size_t list_candidates(struct candidate *list)
{
    static const weft_stage stages[STAGES_TRIED] = {WEFT_VERTEX, WEFT_GEOMETRY, WEFT_FRAGMENT, WEFT_COMPUTE};
    const weft_isa *isa;
    size_t n = 0;
    for (size_t i = 0; (isa = weft_isa_get(i)); i++)
        for (size_t chip = 0; chip == 0 || weft_isa_chip(isa, chip); chip++)
            for (size_t stage = 0; stage < STAGES_TRIED && n < MOST_CANDIDATES; stage++)
                list[n++] = (struct candidate){.isa = isa, .chip = weft_isa_chip(isa, chip), .stage = stages[stage]};
    return n;
}

static bool same(const struct candidate *a, const struct candidate *b)
{
    return a->isa == b->isa && a->known == b->known && a->unknown == b->unknown && a->targets_hit == b->targets_hit;
}

/* Append a word to a list unless it is there. Returns whether it was appended. */
static bool add_word(char *list, size_t size, const char *word)
{
    size_t used = strlen(list);
    if (strstr(list, word) || used + strlen(word) + 2 > size)
        return false;
    snprintf(list + used, size - used, "%s%s", used ? "," : "", word);
    return true;
}

/* What scores the same with several chips or stages is one line. */
static void put_candidates(const struct candidate *list, size_t count, FILE *out)
{
    fprintf(out, "%-6s %-8s %-28s %-36s %s\n", "SCORE", "ISA", "CHIP", "STAGE", "KNOWN");
    for (size_t i = 0, next; i < count; i = next) {
        char chips[100] = "", stages[80] = "";
        size_t nstages = 0, nchips = 0;
        for (next = i; next < count && same(&list[i], &list[next]); next++) {
            nchips += add_word(chips, sizeof chips, list[next].chip ? list[next].chip : "-");
            nstages += add_word(stages, sizeof stages, weft_stage_name(list[next].stage));
        }
        if (list[i].score >= 1 || i == 0)
            fprintf(out, "%5.0f  %-8s %-28s %-36s %zu of %zu\n", list[i].score, weft_isa_name(list[i].isa),
                    !weft_isa_chip(list[i].isa, nchips) && nchips > 1 ? "any" : chips,
                    nstages == STAGES_TRIED ? "any" : stages, list[i].known, list[i].known + list[i].unknown);
    }
}

weft_status guess(const uint8_t *bytes, size_t size, FILE *out)
{
    struct candidate list[MOST_CANDIDATES];
    size_t looked = size < MOST_BYTES ? size : MOST_BYTES, count = list_candidates(list), n = 0;
    uint8_t *begins = cli_kept(malloc(looked > RANDOM_BYTES ? looked : RANDOM_BYTES));
    if (!begins)
        return WEFT_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        struct candidate c = list[i];
        if (try_one(&c, bytes, looked, begins) == WEFT_OK)
            list[n++] = c;
    }
    free(begins);
    qsort(list, n, sizeof *list, by_score);
    put_candidates(list, n, out);
    return WEFT_OK;
}
