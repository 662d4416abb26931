/* words.c - words (LANGUAGE STAGE FILE)... - the modules that weft makes of these texts, each after its size in words,
 * as WEFT_TEST_MODULES has them; 0 where it refuses one. One process has all: glslang takes longer to begin than to
 * compile. A STAGE may be "-". */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

enum { MOST_BYTES = 1 << 20 };

static weft_stage stage_of(const char *name)
{
    for (int s = 0; s < WEFT_STAGES; s++)
        if (strcmp(weft_stage_name((weft_stage)s), name) == 0)
            return (weft_stage)s;
    return WEFT_STAGE_NONE;
}

static bool write_module(const char *language, const char *stage, const char *path)
{
    static char text[MOST_BYTES];
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        return false;
    }
    size_t size = fread(text, 1, sizeof text, f), count = 0;
    fclose(f);
    weft_program_options options;
    weft_program *program = NULL;
    uint8_t *bytes = NULL;
    weft_diags *diags = weft_diags_new();
    weft_program_options_init(&options);
    options.stage = stage_of(stage);
    if (weft_program_from_text(language, path, text, size, &options, diags, &program) != WEFT_OK ||
        weft_program_bytes(program, &bytes, &count, diags) != WEFT_OK)
        count = 0;
    const uint32_t words = (uint32_t)(count / 4);
    bool fine = fwrite(&words, sizeof words, 1, stdout) == 1 && (!words || fwrite(bytes, 4, words, stdout) == words);
    weft_free(bytes);
    weft_program_free(program);
    weft_diags_free(diags);
    return fine;
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 2 < argc; i += 3)
        if (!write_module(argv[i], argv[i + 1], argv[i + 2]))
            return 1;
    return fflush(stdout) == 0 ? 0 : 1;
}
