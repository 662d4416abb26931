/* words.h - what words of Valhall text mean: every lower-case word has a number, and every place where a word may stand
 * has a table from that number to what it encodes there. */
#ifndef WEFT_ISA_VALHALL_WORDS_H
#define WEFT_ISA_VALHALL_WORDS_H

#include "isa/valhall/valhall.h"

enum { VALHALL_WORDS = 256, VALHALL_WORD_LENGTH = 24 };

struct valhall_words {
    /* By number of a word: what it encodes, or -1. */
    int8_t modifier[VALHALL_MODIFIER_IDS][VALHALL_WORDS];
    int8_t select[VALHALL_SELECTS][VALHALL_WORDS];
    int8_t flow[VALHALL_WORDS];
    int8_t special[VALHALL_WORDS];
    int16_t slots[1024];   /* number of the word that hashes there, or -1 */
    uint8_t length[VALHALL_WORDS];
    char text[VALHALL_WORDS][VALHALL_WORD_LENGTH];
    unsigned count;
    int16_t mnemonics[1024]; /* row of the mnemonic that hashes there, or -1 */
    uint8_t name_length[VALHALL_OPS];
};

/* Made at the first call. */
const struct valhall_words *valhall_words(void);
/* Number of a word, or -1. */
int valhall_word(const struct valhall_words *w, const char *word, size_t length);

#endif
