/* ELF files of the VPU: what is read is written, and read back with the same sections and bytes. */
#include "vpu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 1 << 20 };

static bool is_small(const struct isa_module *m)
{
    uint64_t total = 0;
    for (uint32_t s = 0; s < m->nsections; s++)
        total += m->sections[s].size;
    return total < MOST;
}

static void check_written(const struct isa_module *m, struct arena *arena, weft_diags *diags)
{
    struct isa_params params = {.stage = -1};
    struct isa_module *again = NULL;
    uint8_t *file, *one, *two;
    size_t size;
    must(vpu_encode_elf(m, arena, &file, &size, diags) == WEFT_OK);
    must(vpu_decode(file, size, "written", &params, arena, &again, diags) == WEFT_OK);
    must(again->elf && again->nsections == m->nsections && again->entry == m->entry);
    for (uint32_t s = 0; s < m->nsections; s++) {
        const struct vpu_section *x = &m->sections[s], *y = &again->sections[s];
        must(x->address == y->address && x->size == y->size && x->code == y->code && x->nobits == y->nobits);
        if (x->nobits)
            continue;
        one = arena_alloc(arena, x->size);
        two = arena_alloc(arena, y->size);
        must(one && two);
        vpu_section_bytes(m, x, one);
        vpu_section_bytes(again, y, two);
        must(memcmp(one, two, x->size) == 0);
    }
}

/* The text of sections and symbols is read. */
static void check_printed(const struct isa_module *m, struct arena *arena, weft_diags *diags)
{
    struct isa_params params = {.stage = -1};
    struct isa_module *again = NULL;
    char *text;
    size_t length;
    must(vpu_print(m, arena, &text, &length, NULL) == WEFT_OK);
    struct source src = {"printed", text, length};
    must(vpu_parse(&src, &params, arena, &again, diags) == WEFT_OK);
    must(again->nsections == m->nsections);
}

static void check(const uint8_t *data, size_t size)
{
    struct arena arena = {.limit = (size_t)512 << 20};
    weft_diags *diags = weft_diags_new();
    struct isa_params params = {.stage = -1};
    struct isa_module *m = NULL;
    weft_status status = vpu_decode(data, size, "input", &params, &arena, &m, diags);
    must(status == WEFT_OK || status == WEFT_ERROR_MEMORY || weft_diags_errors(diags) > 0);
    if (m && m->elf && is_small(m)) {
        check_written(m, &arena, diags);
        check_printed(m, &arena, diags);
    }
    weft_diags_free(diags);
    arena_free(&arena);
}

static const char program[] = ".global _start\n_start: mov r0,5\nb 1f\n.short 1,2,3\n1: tbb r0\n.case 1b\n.endswitch\n"
                              ".equ five,5\nlea r3,table\nbl far\n.section .rodata,\"a\"\ntable: .long far, 1b\n"
                              ".data\nfar: rts\n.bss\nbuffer: .space 64\n";

/* A good file with bytes changed: the input is offsets of two bytes and values. */
static void check_changed(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct isa_params params = {.stage = -1};
    struct source src = {"program", program, sizeof program - 1};
    struct isa_module *m = NULL;
    uint8_t *file;
    size_t length;
    must(vpu_parse(&src, &params, &arena, &m, NULL) == WEFT_OK);
    must(vpu_encode_elf(m, &arena, &file, &length, NULL) == WEFT_OK);
    for (size_t i = 0; i + 3 <= size; i += 3)
        file[(data[i] | (size_t)data[i + 1] << 8) % length] = data[i + 2];
    check(file, length);
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check(data, size);
    check_changed(data, size);
    return 0;
}
