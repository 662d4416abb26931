/* test_indices.c - indices of each width, with a sign and without, known and not, into each kind of place: a buffer,
 * one of an array of them, a pointer that is counted on, one that may lead into several buffers, variables, workgroup
 * memory and vectors. */
#include "module.h"
#include "number.h"

/* What an index is: words 2 and 3 of the input, or the same constant for all invocations. Pointers that are counted on
 * go as far as the index says, then back (words 4 and 5) to one of the few words after theirs. */
enum { AT_INDEX = 2, AT_BACK = 4, AT_CHOICE = 6, COUNTED_FROM = 1 };

enum place { BUFFER, ARRAY_OF_BUFFERS, COUNTED, CHOSEN, VARIABLE, SHARED, VECTOR, PLACES };
static const char *const names[PLACES] = {
    "a buffer", "an array of buffers", "a pointer that is counted on", "a pointer that is chosen",
    "a variable", "workgroup memory", "a vector"};

struct index {
    enum place place;
    unsigned width;
    bool is_signed, known;
};

static bool counts(const struct index *x)
{
    return x->place == COUNTED || x->place == CHOSEN;
}

/* All indices of access chains count as signed, so those without a sign have no highest bit here. */
static uint64_t index_of(const struct index *x, uint64_t any)
{
    unsigned bits = x->width - !x->is_signed;
    if (counts(x))
        return cut_to(x->is_signed ? (uint64_t)signed_of(any, x->width) : cut_to(any, bits), 64);
    uint64_t last = x->place <= ARRAY_OF_BUFFERS ? STRIDE * COUNT - 1 : x->place == VECTOR ? 3 : STRIDE - 1;
    return cut_to(any, x->width - 1) & last;
}

static uint32_t constant_of(struct module *m, uint32_t type, unsigned width, uint64_t v)
{
    uint32_t id = fresh(m);
    if (width == 64)
        ADD(m, SpvOpConstant, type, id, (uint32_t)v, (uint32_t)(v >> 32));
    else
        ADD(m, SpvOpConstant, type, id, (uint32_t)v); /* its sign goes on to 32 bits */
    return id;
}

struct types {
    uint32_t index, row, rows, row_ptr, local_ptr, rows_ptr, shared_ptr, four, all, seven;
    uint32_t buffers; /* the variable, if there is one */
};

static void declare_types(struct module *m, const struct index *x, struct types *t)
{
    static const uint32_t capabilities[] = {SpvCapabilityInt8, SpvCapabilityInt16, SpvCapabilityInt64,
                                            SpvCapabilityVariablePointersStorageBuffer,
                                            SpvCapabilityVariablePointers};
    t->buffers = declare_more(m, capabilities, sizeof capabilities / sizeof *capabilities, NULL,
                              x->place == ARRAY_OF_BUFFERS);
    declare_number(m, 'i', x->width);
    declare_number(m, 'i', 64);
    t->index = m->type[0][x->width];
    if (x->is_signed) {
        t->index = fresh(m);
        ADD(m, SpvOpTypeInt, t->index, x->width, 1);
    }
    t->row = fresh(m), t->rows = fresh(m), t->row_ptr = fresh(m), t->local_ptr = fresh(m);
    t->rows_ptr = fresh(m), t->shared_ptr = fresh(m), t->four = fresh(m), t->all = fresh(m), t->seven = fresh(m);
    uint32_t lanes = fresh(m);
    ADD(m, SpvOpConstant, UINT, lanes, 64);
    ADD(m, SpvOpConstant, UINT, t->seven, 63);
    ADD(m, SpvOpTypeArray, t->row, UINT, INDEX + STRIDE);
    ADD(m, SpvOpTypeArray, t->rows, t->row, lanes);
    ADD(m, SpvOpTypePointer, t->row_ptr, SpvStorageClassFunction, t->row);
    ADD(m, SpvOpTypePointer, t->local_ptr, SpvStorageClassFunction, UINT);
    ADD(m, SpvOpTypePointer, t->rows_ptr, SpvStorageClassWorkgroup, t->rows);
    ADD(m, SpvOpTypePointer, t->shared_ptr, SpvStorageClassWorkgroup, UINT);
    ADD(m, SpvOpTypeVector, t->four, UINT, 4);
    ADD(m, SpvOpVariable, t->rows_ptr, t->all, SpvStorageClassWorkgroup);
    if (t->buffers) {
        uint32_t two = fresh(m), pointer = fresh(m);
        ADD(m, SpvOpTypeArray, two, BLOCK, TWO);
        ADD(m, SpvOpTypePointer, pointer, SpvStorageClassStorageBuffer, two);
        ADD(m, SpvOpVariable, pointer, t->buffers, SpvStorageClassStorageBuffer);
    }
}

/* A pointer to element `at` of the invocation's own array. */
static uint32_t element(struct module *m, const struct index *x, const struct types *t, uint32_t array, uint32_t lane,
                        uint32_t at)
{
    uint32_t p = fresh(m);
    if (x->place == VARIABLE)
        ADD(m, SpvOpAccessChain, t->local_ptr, p, array, at);
    else
        ADD(m, SpvOpAccessChain, t->shared_ptr, p, array, lane, at);
    return p;
}

static uint32_t read_array(struct module *m, const struct index *x, const struct types *t, uint32_t array, uint32_t id,
                           uint32_t at)
{
    uint32_t lane = fresh(m), v = fresh(m);
    ADD(m, SpvOpBitwiseAnd, UINT, lane, id, t->seven);
    for (uint32_t i = 0; i < STRIDE; i++)
        ADD(m, SpvOpStore, element(m, x, t, array, lane, INDEX + i), input(m, id, i));
    ADD(m, SpvOpLoad, UINT, v, element(m, x, t, array, lane, at));
    return v;
}

static uint32_t read_vector(struct module *m, const struct types *t, uint32_t id, uint32_t at)
{
    uint32_t part[4], all = fresh(m), v = fresh(m);
    for (uint32_t i = 0; i < 4; i++)
        part[i] = input(m, id, i);
    ADD(m, SpvOpCompositeConstruct, t->four, all, part[0], part[1], part[2], part[3]);
    ADD(m, SpvOpVectorExtractDynamic, UINT, v, all, at);
    return v;
}

static uint32_t read_memory(struct module *m, const struct index *x, const struct types *t, uint32_t id, uint32_t at,
                            uint32_t back)
{
    uint32_t p = fresh(m), v = fresh(m);
    if (x->place == BUFFER) {
        ADD(m, SpvOpAccessChain, WORD_PTR, p, IN, ZERO, at);
    } else if (t->buffers) {
        ADD(m, SpvOpAccessChain, WORD_PTR, p, t->buffers, ZERO, ZERO, at);
    } else {
        uint32_t from = word_pointer(m, IN, id, COUNTED_FROM), far = fresh(m);
        if (x->place == CHOSEN) {
            uint32_t other = word_pointer(m, OUT, id, 0), choice = fresh(m), chosen = fresh(m);
            ADD(m, SpvOpINotEqual, BOOL, choice, input(m, id, AT_CHOICE), ZERO);
            ADD(m, SpvOpSelect, WORD_PTR, chosen, choice, from, other);
            from = chosen;
        }
        ADD(m, SpvOpPtrAccessChain, WORD_PTR, far, from, at);
        ADD(m, SpvOpPtrAccessChain, WORD_PTR, p, far, back);
    }
    ADD(m, SpvOpLoad, UINT, v, p);
    return v;
}

static void make(struct module *m, const struct index *x, uint64_t index)
{
    struct types t;
    declare_types(m, x, &t);
    uint32_t at = x->known ? constant_of(m, t.index, x->width, index) : 0, local = fresh(m);
    enter(m);
    if (x->place == VARIABLE)
        ADD(m, SpvOpVariable, t.row_ptr, local, SpvStorageClassFunction);
    uint32_t id = invocation(m), back = fetch(m, id, AT_BACK, 'i', 64);
    if (!x->known) {
        at = fetch(m, id, AT_INDEX, 'i', x->width);
        at = x->is_signed ? cast(m, t.index, at) : at;
    }
    uint32_t v = x->place == VARIABLE || x->place == SHARED
                     ? read_array(m, x, &t, x->place == VARIABLE ? local : t.all, id, at)
                 : x->place == VECTOR ? read_vector(m, &t, id, at)
                                      : read_memory(m, x, &t, id, at, back);
    end(m, id, v);
}

static void check(const struct index *x, struct test_rng *rng)
{
    static uint32_t in[STRIDE * COUNT], out[STRIDE * COUNT];
    uint64_t index[COUNT], few[COUNT];
    struct module m;
    for (unsigned i = 0; i < COUNT; i++) {
        for (unsigned k = 0; k < STRIDE; k++)
            in[STRIDE * i + k] = test_next(rng);
        index[i] = x->known && i ? index[0] : index_of(x, test_next64(rng));
        few[i] = test_next(rng) % 4;
        set_number(in, i, AT_INDEX, 64, cut_to(index[i], x->width));
        set_number(in, i, AT_BACK, 64, few[i] - index[i]);
        in[STRIDE * i + AT_CHOICE] = 1;
    }
    make(&m, x, index[0]);
    if (!run(&m, in, out))
        return;
    for (unsigned i = 0; i < COUNT; i++) {
        uint64_t at = counts(x)                      ? STRIDE * i + COUNTED_FROM + few[i]
                      : x->place <= ARRAY_OF_BUFFERS ? index[i]
                                                     : STRIDE * i + index[i];
        if (out[STRIDE * i] != in[at])
            fail_msg("%s, %s index of %u bits%s: 0x%llx reads 0x%08x, expected 0x%08x", names[x->place],
                     x->known ? "a known" : "an", x->width, x->is_signed ? " with a sign" : "",
                     (unsigned long long)index[i], out[STRIDE * i], in[at]);
    }
}

static void indices(void **state)
{
    (void)state;
    enum { KNOWN = 4 }; /* constants of each kind */
    struct test_rng rng = test_seed("indices");
    for (enum place place = 0; place < PLACES; place++)
        for (unsigned width = 8; width <= 64; width *= 2)
            for (unsigned is_signed = 0; is_signed < 2; is_signed++)
                for (unsigned known = 0; known <= KNOWN; known++)
                    check(&(struct index){place, width, is_signed, known > 0}, &rng);
}

TEST_MAIN(TEST(indices))
