/* parse_words.h - what words of Valhall text mean: every lower-case word has a number, and every place for a word has a
 * table from that number to what it encodes there. */
#ifndef WEFT_ISA_VALHALL_PARSE_WORDS_H
#define WEFT_ISA_VALHALL_PARSE_WORDS_H

#include "isa/valhall/table.h"

enum { VALHALL_WORDS = 256, VALHALL_WORD_LENGTH = 24 };

struct valhall_words {
    /* By number of a word: what it encodes, or -1. */
    int8_t modifier[VALHALL_FIELD_IDS][VALHALL_WORDS];
    int8_t select[VALHALL_SELECTS][VALHALL_WORDS];
    int8_t flow[VALHALL_WORDS];
    int8_t special[VALHALL_WORDS];
    int16_t slots[1024];   /* number of the word that hashes there, or -1 */
    uint8_t length[VALHALL_WORDS];
    char text[VALHALL_WORDS][VALHALL_WORD_LENGTH];
    unsigned count;
    int16_t mnemonics[1024]; /* row of the mnemonic that hashes there, or -1 */
    uint8_t name_length[VALHALL_OPS];
    char fault[VALHALL_FAULT_TEXT]; /* "" or what is at fault */
};

/* Made at the first call. */
const struct valhall_words *valhall_words(void);
/* Whether a word is a special value. */
bool valhall_is_special(const char *word, size_t length);
/* Number of a word, or -1. */
int valhall_word(const struct valhall_words *w, const char *word, size_t length);

#endif
