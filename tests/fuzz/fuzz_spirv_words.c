/* Words of SPIR-V, valid or not: read, checked, printed, lifted, run (spirv_run.h). Changes are of instructions and
 * operands, so that most of a module stays what it was. */
#include "spirv_run.h"
#include "spirv_words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static struct spirv_change change;
    struct arena arena = {.limit = 64u << 20};
    struct spirv_words words;
    size_t made = 0;
    bool is_text = size < 4 || memcmp(data, "\x03\x02\x23\x07", 4) != 0;
    if ((is_text || seed % 16 != 0) && words_of_input(data, size, &arena, &words) &&
        change_begin(&change, (const uint8_t *)words.word, words.count * 4))
        made = change_words(&change, data, most, seed);
    arena_free(&arena);
    return made ? made : LLVMFuzzerMutate(data, size, most);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.limit = 256u << 20};
    struct spirv_words words;
    if (words_of_input(data, size, &arena, &words))
        run_words(words, NULL, &arena);
    arena_free(&arena);
    return 0;
}
