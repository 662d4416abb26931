/* parse_words.c - the tables of parse_words.h, made of names.c and the rows. */
#include "isa/valhall/parse_words.h"
#include "isa/valhall/names.h"

#include <pthread.h>
#include <string.h>

enum { SLOTS = 1024 };

static struct valhall_words words;
static pthread_once_t made = PTHREAD_ONCE_INIT;

static unsigned hash(const char *word, size_t length)
{
    uint32_t h = (uint32_t)length;
    for (size_t i = 0; i < length; i++)
        h = h * 31 + (unsigned char)word[i];
    return (h ^ h >> 10) % SLOTS;
}

int valhall_word(const struct valhall_words *w, const char *word, size_t length)
{
    if (length >= VALHALL_WORD_LENGTH)
        return -1;
    for (unsigned slot = hash(word, length); w->slots[slot] >= 0; slot = (slot + 1) % SLOTS) {
        int n = w->slots[slot];
        if (w->length[n] == length && memcmp(w->text[n], word, length) == 0)
            return n;
    }
    return -1;
}

int valhall_find_row(const char *name, size_t length)
{
    const struct valhall_words *w = valhall_words();
    const struct valhall_row *rows = valhall_rows();
    for (unsigned slot = hash(name, length); w->mnemonics[slot] >= 0; slot = (slot + 1) % SLOTS) {
        int row = w->mnemonics[slot];
        if (w->name_length[row] == length && memcmp(rows[row].name, name, length) == 0)
            return row;
    }
    return -1;
}

/* Number of a word, new if it is not there yet. */
static int enter(const char *word)
{
    size_t length = strlen(word);
    int n = valhall_word(&words, word, length);
    if (n >= 0)
        return n;
    if (words.count >= VALHALL_WORDS || length >= VALHALL_WORD_LENGTH) {
        valhall_blame(words.fault, word, "too long a word, or one too many");
        return 0;
    }
    n = (int)words.count++;
    memcpy(words.text[n], word, length + 1);
    words.length[n] = (uint8_t)length;
    unsigned slot = hash(word, length);
    while (words.slots[slot] >= 0)
        slot = (slot + 1) % SLOTS;
    words.slots[slot] = (int16_t)n;
    return n;
}

/* "none" is not written: it would not say which modifier it is of. */
static bool is_written(const char *word)
{
    return word && strcmp(word, "none") != 0;
}

static void enter_modifiers(void)
{
    for (unsigned id = 0; id < VALHALL_FIELD_IDS; id++) {
        const struct valhall_field *m = &valhall_fields[id];
        if (m->role != VALHALL_ROLE_MODIFIER)
            continue;
        if (!m->words)
            words.modifier[id][enter(m->name)] = 1;
        for (unsigned v = 0; m->words && v < 1u << m->size; v++)
            if (is_written(m->words[v]))
                words.modifier[id][enter(m->words[v])] = (int8_t)v;
    }
}

static void enter_operands(void)
{
    for (unsigned s = VALHALL_SELECT_NONE + 1; s < VALHALL_SELECTS; s++) {
        const struct valhall_picks *all = &valhall_picks[s];
        for (unsigned v = 0; v < 1u << all->bits; v++)
            if (is_written(all->picks[v].name))
                words.select[s][enter(all->picks[v].name)] = (int8_t)v;
    }
    for (unsigned f = 1; f < 16; f++)
        if (valhall_flow_names[f])
            words.flow[enter(valhall_flow_names[f])] = (int8_t)f;
    for (unsigned s = 0; s < VALHALL_SPECIALS; s++)
        if (valhall_special_names[s])
            words.special[enter(valhall_special_names[s])] = (int8_t)s;
}

/* Names of older text. */
static void enter_older_names(void)
{
    static const struct {
        const char *name;
        enum valhall_access access;
    } accesses[] = {{"pos", VALHALL_ACCESS_ISTREAM}, {"vary", VALHALL_ACCESS_ESTREAM}, {"tl", VALHALL_ACCESS_FORCE}};
    for (unsigned i = 0; i < sizeof accesses / sizeof accesses[0]; i++) {
        int n = enter(accesses[i].name);
        words.modifier[VALHALL_MOD_MEMORY_ACCESS][n] = words.modifier[VALHALL_MOD_MEMORY_ACCESS_CVT][n] =
            (int8_t)accesses[i].access;
    }
    words.flow[enter("return")] = VALHALL_END;
    words.special[enter("tls_ptr")] = VALHALL_THREAD_LOCAL_POINTER;
    words.special[enter("wls_ptr")] = VALHALL_WORKGROUP_LOCAL_POINTER;
}

static void enter_mnemonics(void)
{
    const struct valhall_row *rows = valhall_rows();
    for (int row = 0; row < VALHALL_OPS; row++) {
        size_t length = strlen(rows[row].name);
        words.name_length[row] = (uint8_t)length;
        unsigned slot = hash(rows[row].name, length);
        for (; words.mnemonics[slot] >= 0; slot = (slot + 1) % SLOTS)
            if (strcmp(rows[words.mnemonics[slot]].name, rows[row].name) == 0)
                valhall_blame(words.fault, rows[row].name, "two rows have this name");
        words.mnemonics[slot] = (int16_t)row;
    }
}

static void make_words(void)
{
    memset(words.modifier, -1, sizeof words.modifier);
    memset(words.select, -1, sizeof words.select);
    memset(words.flow, -1, sizeof words.flow);
    memset(words.special, -1, sizeof words.special);
    memset(words.slots, -1, sizeof words.slots);
    memset(words.mnemonics, -1, sizeof words.mnemonics);
    enter_modifiers();
    enter_operands();
    enter_older_names();
    enter_mnemonics();
}

const struct valhall_words *valhall_words(void)
{
    pthread_once(&made, make_words);
    return &words;
}

bool valhall_is_special(const char *word, size_t length)
{
    const struct valhall_words *w = valhall_words();
    int n = valhall_word(w, word, length);
    return n >= 0 && w->special[n] >= 0;
}
