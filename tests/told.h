/* told.h - what is said of damaged texts (damage.h): messages, and what was made of those that are accepted. A
 * snapshot has a line for each text and each kind of damage. WEFT_TEST_SHOW=NAME prints what the numbers of a text are
 * made of. */
#ifndef WEFT_TESTS_TOLD_H
#define WEFT_TESTS_TOLD_H

#include "damage.h"
#include "snapshot.h"

#include <inttypes.h>

enum { TOLD_KINDS = 8, TOLD_LIST = 1 << 16 };

struct told {
    const char *name; /* of the text */
    struct told_kind {
        const char *what;
        unsigned texts;
        uint64_t digest;
    } kind[TOLD_KINDS], *now;
    bool shown;
};

struct told_list {
    char text[TOLD_LIST];
    size_t size;
};

static inline void told_bytes(struct told *t, const void *bytes, size_t size)
{
    uint64_t digest = t->now->digest;
    for (size_t i = 0; i < size; i++)
        digest = (digest ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    t->now->digest = (digest ^ size) * 0x9e3779b97f4a7c15u;
}

/* The next text is this one. */
static inline void told_begin(struct told *t, const struct damaged *d)
{
    const char *shown = getenv("WEFT_TEST_SHOW");
    t->shown = shown && strstr(t->name, shown);
    for (t->now = t->kind; t->now->what && strcmp(t->now->what, d->what) != 0; t->now++)
        assert_true(t->now + 1 < t->kind + TOLD_KINDS);
    t->now->what = d->what;
    t->now->texts++;
    if (t->shown)
        printf("---- %s, %s in line %u\n", t->name, d->what, d->line);
}

static inline void told_text(struct told *t, const char *text)
{
    told_bytes(t, text, strlen(text));
    if (t->shown)
        puts(text);
}

static inline void told_messages(struct told *t, const weft_diags *diags)
{
    const weft_diag *m;
    for (size_t i = 0; (m = weft_diags_get(diags, i)) != NULL; i++) {
        char place[100];
        snprintf(place, sizeof place, "%u:%u+%u: %d %s", m->line, m->column, m->length, (int)m->severity, m->code);
        told_text(t, place);
        told_text(t, m->message);
        told_text(t, m->hint ? m->hint : "");
    }
}

/* All texts of that name were judged. */
static inline void told_end(struct told_list *l, const struct told *t)
{
    for (const struct told_kind *k = t->kind; k < t->kind + TOLD_KINDS && k->what; k++) {
        l->size += (size_t)snprintf(l->text + l->size, sizeof l->text - l->size, "%s, %s: %u texts, %016" PRIx64 "\n",
                                    t->name, k->what, k->texts, k->digest);
        assert_true(l->size < sizeof l->text);
    }
}

/* A run that tries a part of the texts has other numbers. */
static inline void told_compare(const char *path, const struct told_list *l)
{
    if (test_quick_share() == 1)
        snapshot_compare_named(path, l->text);
}

#endif
