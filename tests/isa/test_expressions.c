/* Expressions of assemblers: each operator next to each other, twice, and with unary ones, against an evaluation of the
 * test's own with the precedence that the manuals say (docs/manual: C's for Tesla, GNU's for the VPU and Valhall). */
#include "test.h"

#include <stdbool.h>

#include <weft/weft.h>

struct operator
{
    const char *text;
    char op;
    unsigned level; /* the higher, the tighter */
};

static const struct operator c_operators[] = {{"|", '|', 0},  {"^", '^', 1}, {"&", '&', 2}, {"<<", '<', 3},
                                              {">>", '>', 3}, {"+", '+', 4}, {"-", '-', 4}, {"*", '*', 5},
                                              {"/", '/', 5},  {"%", '%', 5}};
static const struct operator gnu_operators[] = {
    {"||", 'o', 0}, {"&&", 'a', 1}, {"==", 'e', 2}, {"!=", 'n', 2}, {"<>", 'n', 2}, {"<=", 'L', 2}, {">=", 'G', 2},
    {"<", 'l', 2},  {">", 'g', 2},  {"+", '+', 2},  {"-", '-', 2},  {"|", '|', 3},  {"&", '&', 3},  {"^", '^', 3},
    {"*", '*', 4},  {"/", '/', 4},  {"%", '%', 4},  {"<<", '<', 4}, {">>", '>', 4}};

static const struct {
    const char *isa, *directive;
    unsigned bytes;
    const struct operator* operators;
    unsigned count;
} sets[] = {{"tesla", ".b32", 4, c_operators, 10},
            {"vpu", ".long", 4, gnu_operators, 19},
            {"vpu", ".quad", 8, gnu_operators, 19},
            {"valhall", ".quad", 8, gnu_operators, 19}};

/* ---- what is expected ---- */

static bool defined; /* whether all manuals and C agree on it */

static int64_t compute(char op, int64_t x, int64_t y)
{
    switch (op) {
    case '+':
        return x + y;
    case '-':
        return x - y;
    case '*':
        return x * y;
    case '|':
        return x | y;
    case '&':
        return x & y;
    case '^':
        return x ^ y;
    case 'e':
        return -(x == y);
    case 'n':
        return -(x != y);
    case 'L':
        return -(x <= y);
    case 'G':
        return -(x >= y);
    case 'l':
        return -(x < y);
    case 'g':
        return -(x > y);
    case 'a':
        return x && y;
    case 'o':
        return x || y;
    case '<':
    case '>':
        defined = defined && x >= 0 && y >= 0 && y < 20;
        return !defined ? 0 : op == '<' ? x << y : x >> y;
    default:
        defined = defined && y != 0;
        return !defined ? 0 : op == '/' ? x / y : x % y;
    }
}

/* values[0] operators[0] values[1] ..., the tightest first, from the left. */
static int64_t evaluate(const int64_t *given, const struct operator* const * operators, unsigned count)
{
    int64_t values[4];
    const struct operator* left[3];
    memcpy(values, given, sizeof values);
    memcpy(left, operators, count * sizeof *left);
    defined = true;
    for (; count; count--) {
        unsigned at = 0;
        for (unsigned i = 1; i < count; i++)
            if (left[i]->level > left[at]->level)
                at = i;
        values[at] = compute(left[at]->op, values[at], values[at + 1]);
        for (unsigned i = at; i + 1 < count; i++) {
            left[i] = left[i + 1];
            values[i + 1] = values[i + 2];
        }
    }
    return values[0];
}

/* ---- what is assembled ---- */

enum { TEXT = 1 << 20, MOST = 20000 };
static char text[TEXT];
static int64_t wanted[MOST];
static char line[MOST][64];

static void check(unsigned set, size_t size, unsigned n)
{
    weft_program *p;
    weft_program_options o;
    weft_diags *diags = weft_diags_new();
    uint8_t *bytes;
    size_t length;
    weft_program_options_init(&o);
    if (weft_program_from_text(sets[set].isa, "a", text, size, &o, diags, &p) != WEFT_OK)
        fail_msg("%s: line %u: %s", sets[set].isa, weft_diags_get(diags, 0)->line, weft_diags_get(diags, 0)->message);
    assert_int_equal(weft_program_bytes(p, &bytes, &length, NULL), WEFT_OK);
    assert_true(length >= (size_t)n * sets[set].bytes);
    for (unsigned i = 0; i < n; i++) {
        uint64_t got = 0, mask = sets[set].bytes == 8 ? UINT64_MAX : UINT32_MAX;
        for (unsigned k = 0; k < sets[set].bytes; k++)
            got |= (uint64_t)bytes[i * sets[set].bytes + k] << 8 * k;
        if (got != ((uint64_t)wanted[i] & mask))
            fail_msg("%s: %s is 0x%llx, not 0x%llx", sets[set].isa, line[i], (unsigned long long)got,
                     (unsigned long long)((uint64_t)wanted[i] & mask));
    }
    weft_free(bytes);
    weft_program_free(p);
    weft_diags_free(diags);
}

static void operators_bind(void **state)
{
    static const int64_t values[][4] = {{100, 7, 3, 2}, {3, 12, 5, 4}, {6, 2, 9, 1}};
    static const char *const unary[] = {"", "-", "~"};
    (void)state;
    for (unsigned set = 0; set < sizeof sets / sizeof sets[0]; set++) {
        const unsigned all = sets[set].count;
        size_t size = 0;
        unsigned n = 0;
        for (unsigned k = 0; k < all * all * all; k++) {
            /* each pair, and each triple with some values */
            const struct operator* const three[] = {&sets[set].operators[k % all], &sets[set].operators[k / all % all],
                                                    &sets[set].operators[k / all / all]};
            unsigned count = k < all * all ? 2 : 3;
            const char *before = unary[k / 5 % 3];
            int64_t v[4];
            memcpy(v, values[k % 3], sizeof v);
            const char *const parts[] = {three[0]->text, three[1]->text, three[2]->text};
            int written = snprintf(line[n], sizeof line[n], "%d%s(%s%d)%s%d", (int)v[0], parts[0], before, (int)v[1],
                                   parts[1], (int)v[2]);
            if (count == 3)
                snprintf(line[n] + written, sizeof line[n] - (size_t)written, "%s%d", parts[2], (int)v[3]);
            v[1] = *before == '-' ? -v[1] : *before == '~' ? ~v[1] : v[1];
            wanted[n] = evaluate(v, three, count);
            if (!defined)
                continue;
            size += (size_t)snprintf(text + size, sizeof text - size, "%s %s\n", sets[set].directive, line[n]);
            n++;
        }
        assert_true(n > all * all && size < sizeof text - 100);
        check(set, size, n);
    }
}

TEST_MAIN(TEST(operators_bind))
