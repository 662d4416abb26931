/* dis_graph.c - weft dis --graph: the control flow between blocks of instructions, in the language of Graphviz. */
#include "cli/dis.h"

#include <stdlib.h>
#include <string.h>

/* An instruction of the listing. */
struct node {
    weft_insn insn;
    bool known;
    bool leads; /* a block begins with it */
};

struct graph {
    const struct listing *l;
    struct node *node;
    size_t count;
};

/* The instruction at an address; count: none. */
static size_t find(const struct graph *g, uint64_t address)
{
    size_t low = 0, high = g->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->l->places[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->count && g->l->places[low].address == address ? low : g->count;
}

/* Whether control never goes on to the instruction after it. */
static bool ends(const struct node *n)
{
    bool leaves = n->insn.flow == WEFT_FLOW_BRANCH || n->insn.flow == WEFT_FLOW_RETURN || n->insn.flow == WEFT_FLOW_END;
    return n->known && leaves && !n->insn.conditional;
}

/* Whether a block ends with it. */
static bool parts(const struct node *n)
{
    switch (n->known ? n->insn.flow : WEFT_FLOW_NEXT) {
    case WEFT_FLOW_BRANCH:
    case WEFT_FLOW_CALL:
    case WEFT_FLOW_RETURN:
    case WEFT_FLOW_END:
        return true;
    default:
        return false;
    }
}

static void find_leaders(struct graph *g)
{
    for (size_t i = 0; i < g->count; i++) {
        struct node *n = &g->node[i];
        const weft_place *at = &g->l->places[i];
        n->known =
            weft_insn_decode(g->l->decoder, g->l->bytes + at->offset, at->size, at->address, &n->insn) == WEFT_OK;
    }
    if (g->count)
        g->node[0].leads = true;
    for (size_t i = 0; i < g->count; i++) {
        const struct node *n = &g->node[i];
        size_t to = n->known && n->insn.has_target ? find(g, n->insn.target) : g->count;
        if (to < g->count)
            g->node[to].leads = true;
        if (i + 1 < g->count && (parts(n) || n->known != g->node[i + 1].known))
            g->node[i + 1].leads = true;
    }
}

/* Text within a quoted string of Graphviz; \l ends a line that begins at the left. */
static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
    fputs("\\l", out);
}

static void put_edge(FILE *out, uint64_t from, uint64_t to, const char *style)
{
    fprintf(out, "  b%llx -> b%llx%s;\n", (unsigned long long)from, (unsigned long long)to, style);
}

/* What leaves the block that begins at `first` and ends with instruction `last`. */
static void put_edges(const struct graph *g, size_t first, size_t last, FILE *out)
{
    const struct node *n = &g->node[last];
    uint64_t from = g->l->places[first].address;
    if (n->known && n->insn.has_target && find(g, n->insn.target) < g->count)
        put_edge(out, from, n->insn.target,
                 n->insn.flow == WEFT_FLOW_CALL   ? " [style=dashed, label=\"call\"]"
                 : n->insn.flow == WEFT_FLOW_MARK ? " [style=dotted, label=\"later\"]"
                                                  : "");
    else if (n->known && n->insn.flow == WEFT_FLOW_BRANCH && !n->insn.has_target)
        fprintf(out, "  b%llx -> anywhere [style=dotted];\n", (unsigned long long)from);
    if (last + 1 < g->count && !ends(n))
        put_edge(out, from, g->l->places[last + 1].address, n->insn.conditional && n->known ? " [label=\"else\"]" : "");
}

/* Marks keep targets for later from within a block. */
static void put_marks(const struct graph *g, size_t first, size_t last, FILE *out)
{
    for (size_t i = first; i < last; i++)
        if (g->node[i].known && g->node[i].insn.has_target && find(g, g->node[i].insn.target) < g->count)
            put_edge(out, g->l->places[first].address, g->node[i].insn.target, " [style=dotted, label=\"later\"]");
}

static size_t put_block(const struct graph *g, size_t first, FILE *out)
{
    size_t last = first;
    while (last + 1 < g->count && !g->node[last + 1].leads)
        last++;
    fprintf(out, "  b%llx [label=\"", (unsigned long long)g->l->places[first].address);
    for (size_t i = first; i <= last; i++) {
        char text[WEFT_INSN_TEXT];
        weft_insn_text(g->l->decoder, &g->node[i].insn, NULL, text, sizeof text, NULL, NULL);
        fprintf(out, "%llx: ", (unsigned long long)g->l->places[i].address);
        put_escaped(out, text);
    }
    fputs("\"];\n", out);
    put_marks(g, first, last, out);
    put_edges(g, first, last, out);
    return last + 1;
}

weft_status listing_put_graph(const struct listing *l, FILE *out)
{
    struct graph g = {l, cli_kept(calloc(l->count + 1, sizeof *g.node)), l->count};
    if (!g.node)
        return WEFT_ERROR_MEMORY;
    find_leaders(&g);
    fputs("digraph program {\n  node [shape=box, fontname=\"monospace\"];\n", out);
    for (size_t i = 0; i < g.count;)
        i = put_block(&g, i, out);
    fputs("}\n", out);
    free(g.node);
    return WEFT_OK;
}
