/* text_mutator.h - a fuzzer of a language is this and its LLVMFuzzerTestOneInput. */
#ifndef WEFT_FUZZ_TEXT_MUTATOR_H
#define WEFT_FUZZ_TEXT_MUTATOR_H

#include "text_words.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static struct text_change change;
    size_t made = seed % 4 ? change_text(&change, data, size, most, seed) : 0;
    return made ? made : LLVMFuzzerMutate(data, size, most);
}

#endif
