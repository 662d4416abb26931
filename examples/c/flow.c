/* flow.c - a disassembler that shows the blocks of a program and where each of them goes (weft/insn.h).
 *
 *     cc flow.c -o flow $(pkg-config --cflags --libs weft) && ./flow ISA FILE [CHIP]
 *
 * FILE has instructions one after the other, as `weft asm` writes them. A block begins where a branch leads to, and
 * after each instruction from which control may go elsewhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

struct listing {
    weft_decoder *decoder;
    weft_insn *insns;
    char *leads; /* by instruction: a block begins here */
    size_t count;
};

/* The instruction at an address, or NULL. */
static const weft_insn *find(const struct listing *l, uint64_t address)
{
    size_t low = 0, high = l->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->insns[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < l->count && l->insns[low].address == address ? &l->insns[low] : NULL;
}

/* Does control go to the next instruction after this one, for some lanes at least? */
static int falls_through(const weft_insn *i)
{
    return i->conditional || (i->flow != WEFT_FLOW_BRANCH && i->flow != WEFT_FLOW_RETURN && i->flow != WEFT_FLOW_END);
}

static int ends_block(const weft_insn *i)
{
    return i->flow == WEFT_FLOW_BRANCH || i->flow == WEFT_FLOW_CALL || i->flow == WEFT_FLOW_RETURN ||
           i->flow == WEFT_FLOW_END;
}

static int decode_all(struct listing *l, const uint8_t *bytes, size_t size)
{
    l->insns = calloc(size + 1, sizeof *l->insns);
    l->leads = calloc(size + 1, 1);
    if (!l->insns || !l->leads)
        return 0;
    for (size_t at = 0; at < size; at += l->insns[l->count++].size) {
        weft_insn_decode(l->decoder, bytes + at, size - at, at, &l->insns[l->count]);
        if (l->insns[l->count].size == 0)
            break; /* too few bytes are left */
    }
    l->leads[0] = 1;
    for (size_t i = 0; i < l->count; i++) {
        const weft_insn *target = l->insns[i].has_target ? find(l, l->insns[i].target) : NULL;
        if (target)
            l->leads[target - l->insns] = 1;
        if (ends_block(&l->insns[i]))
            l->leads[i + 1] = 1;
    }
    return 1;
}

/* What weft_insn_text asks of addresses: the beginnings of blocks have names. */
static const char *name_address(void *user, uint64_t address)
{
    static char name[32];
    if (!find(user, address))
        return NULL;
    snprintf(name, sizeof name, "L%llx", (unsigned long long)address);
    return name;
}

/* Who comes to block `to` by a branch. */
static void print_comers(const struct listing *l, const weft_insn *to)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->insns[i].has_target && l->insns[i].target == to->address)
            printf("  <- %llx (%s)", (unsigned long long)l->insns[i].address, weft_flow_name(l->insns[i].flow));
    printf("\n");
}

static void print_goals(const weft_insn *last, int more)
{
    const char *between = " ";
    printf("        ->");
    if (last->has_target)
        printf(" L%llx", (unsigned long long)last->target);
    else if (last->flow == WEFT_FLOW_BRANCH)
        printf(" an address in a register");
    else if (last->flow != WEFT_FLOW_NEXT)
        printf(" %s", weft_flow_name(last->flow));
    if (last->has_target || last->flow != WEFT_FLOW_NEXT)
        between = ", ";
    if (falls_through(last) && more)
        printf("%sL%llx", between, (unsigned long long)(last->address + last->size));
    printf("\n");
}

static void print_all(struct listing *l)
{
    const weft_format format = {.size = sizeof format, .name = name_address, .user = l};
    char text[WEFT_INSN_TEXT];
    for (size_t i = 0; i < l->count; i++) {
        const weft_insn *insn = &l->insns[i];
        if (l->leads[i]) {
            printf("L%llx:", (unsigned long long)insn->address);
            print_comers(l, insn);
        }
        weft_insn_text(l->decoder, insn, &format, text, sizeof text, NULL, NULL);
        printf("  %4llx  %s%s%s\n", (unsigned long long)insn->address, text, insn->fault ? "    ; " : "",
               insn->fault ? insn->fault : "");
        if (i + 1 == l->count || l->leads[i + 1])
            print_goals(insn, i + 1 < l->count);
    }
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *bytes = malloc(1 << 20);
    *size = f && bytes ? fread(bytes, 1, 1 << 20, f) : 0;
    if (!f)
        perror(path);
    else
        fclose(f);
    return bytes;
}

int main(int argc, char **argv)
{
    struct listing l = {0};
    const weft_decoder_options options = {
        .size = sizeof options, .chip = argc > 3 ? argv[3] : NULL, .stage = WEFT_STAGE_NONE};
    if (argc < 3) {
        fprintf(stderr, "usage: flow ISA FILE [CHIP]\n");
        return 2;
    }
    weft_status status = weft_decoder_new(argv[1], &options, &l.decoder);
    if (status != WEFT_OK) {
        fprintf(stderr, "flow: no decoder for '%s': %s\n", argv[1], weft_status_name(status));
        return 1;
    }
    size_t size;
    uint8_t *bytes = read_file(argv[2], &size);
    if (bytes && decode_all(&l, bytes, size))
        print_all(&l);
    free(l.insns);
    free(l.leads);
    free(bytes);
    weft_decoder_free(l.decoder);
    return 0;
}
