/* Hostile text of lane IR: it is parsed or refused; what was parsed is verified or refused; what was verified
 * prints to a text that parses and prints the same, and still does after the passes. */
#include "text_mutator.h"
#include "verified.h"

#include "ir/ir.h"
#include "ir/pass.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print_again(const struct ir_program *p)
{
    struct arena a = {0};
    size_t length, again_length;
    char *text = ir_print(p, &a, &length);
    must(text != NULL);
    struct source src = {"printed.ir", text, length};
    struct ir_program *again = NULL;
    weft_diags *d = weft_diags_new();
    must(ir_parse(&src, &a, &again, d) == WEFT_OK);
    must(verified(again, d));
    char *again_text = ir_print(again, &a, &again_length);
    must(again_text && again_length == length && !memcmp(text, again_text, length));
    weft_diags_free(d);
    arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {.limit = 64u << 20};
    struct source src = {"fuzz.ir", (const char *)data, size};
    struct ir_program *p = NULL;
    weft_diags *d = weft_diags_new();
    if (ir_parse(&src, &a, &p, d) == WEFT_OK) {
        if (ir_verify(p, d) == WEFT_OK) {
            print_again(p);
            ir_optimise(p);
            if (!arena_failed(&a)) {
                must(verified(p, d));
                print_again(p);
            }
        } else {
            ir_print(p, &a, NULL);
        }
    }
    weft_diags_free(d);
    arena_free(&a);
    return 0;
}
