/* test_unlisted.c - atomics that text has no words for: each operation code with each size, of what the hardware does
 * something. What lifts make of them is what it was: unlisted.txt has a line for each operation. WEFT_TEST_RENEW=1
 * writes it anew. */
#include "isa/lifted.h"
#include "isa/tesla/lift.h"
#include "snapshot.h"

enum { OPERATIONS = 16, SIZES = 8, OPERATION_SHIFT = 34, SIZE_SHIFT = 53, BYTES = 64 };

static const char *const forms[] = {"ld add u32 $r3 g0[$r2] $r5\n", "red add u32 g1[$r2] $r5\n",
                                    "ld add u64 $r4d g0[$r2] $r6d\n", "cas b32 $r3 g0[$r2] $r5 $r6\n"};
static const char *const chips[] = {"g84", "g200", "gt215"};

static size_t bytes_of(const char *form, const char *chip, uint8_t *bytes)
{
    char text[200];
    struct arena a = {0};
    struct isa_module *m = NULL;
    uint8_t *made = NULL;
    size_t size = 0;
    snprintf(text, sizeof text, "%sexit nop\n", form);
    struct source src = {"t", text, strlen(text)};
    struct isa_params params = {.chip = chip, .stage = IR_COMPUTE};
    const struct isa *isa = isa_find("tesla");
    if (isa->parse(&src, &params, &a, &m, NULL) == WEFT_OK && isa->encode(m, &a, &made, &size, NULL) == WEFT_OK)
        memcpy(bytes, made, size);
    arena_free(&a);
    assert_true(size <= BYTES);
    return size;
}

static void add(struct lifted *to, const uint8_t *bytes, size_t size, const char *chip)
{
    struct arena a = {0};
    struct isa_module *m = NULL;
    struct isa_params params = {.chip = chip, .stage = IR_COMPUTE, .running = true};
    const struct isa *isa = isa_find("tesla");
    weft_diags *d = weft_diags_new();
    to->programs++;
    if (isa->decode(bytes, size, "t", &params, &a, &m, d) == WEFT_OK &&
        isa_check(isa, m, "t", NULL, &params, d) == WEFT_OK)
        lifted_module(to, isa, m, NULL, &a, d);
    lifted_messages(to, d);
    weft_diags_free(d);
    arena_free(&a);
}

/* A form with another operation, of each size. */
static void add_form(struct lifted *to, const char *form, const char *chip, unsigned operation)
{
    uint8_t bytes[BYTES];
    size_t size = bytes_of(form, chip, bytes);
    for (unsigned k = 0; size > 0 && k < SIZES; k++) {
        uint64_t word = 0;
        for (unsigned i = 0; i < sizeof word; i++)
            word |= (uint64_t)bytes[i] << 8 * i;
        word &= ~((uint64_t)(OPERATIONS - 1) << OPERATION_SHIFT | (uint64_t)(SIZES - 1) << SIZE_SHIFT);
        word |= (uint64_t)operation << OPERATION_SHIFT | (uint64_t)k << SIZE_SHIFT;
        for (unsigned i = 0; i < sizeof word; i++)
            bytes[i] = (uint8_t)(word >> 8 * i);
        add(to, bytes, size, chip);
    }
}

static void each_is_as_it_was(void **state)
{
    struct lifted_list l = {0};
    (void)state;
    for (unsigned operation = 0; operation < OPERATIONS; operation++) {
        struct lifted lifted = {0};
        char name[40];
        for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++)
            for (unsigned c = 0; c < sizeof chips / sizeof *chips; c++)
                add_form(&lifted, forms[i], chips[c], operation);
        snprintf(name, sizeof name, "operation %u", operation);
        lifted_tell(&l, name, &lifted, "lifted");
    }
    snapshot_compare(WEFT_SOURCE_ROOT "/tests/tesla/unlisted.txt", l.text);
    arena_free(&l.arena);
}

TEST_MAIN(TEST(each_is_as_it_was))
