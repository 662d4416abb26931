/* lift_job.c - a whole module as the program of a dispatch (docs/manual/vpu.md): its memory, what is in the registers
 * at the start, and what becomes of instructions that are about a machine. */
#include "isa/vpu/lift.h"

#include "isa/lift.h"

#include "isa/vpu/linkage.h"
#include "isa/vpu/table.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 16, FAULT_MODE = 128, FAULT_OUTSIDE };

struct vpu_job {
    const struct isa_module *m;
    struct vpu_linkage link;
    uint8_t *image; /* the program's memory from `begin` to `end` */
    uint32_t begin, end;
    uint32_t *landing; /* addresses that a jump to a register may lead to */
    uint32_t nlandings;
    size_t landings_cap;
};

/* ---- the processor without its machine ---- */

static const char *fault_text(uint64_t fault)
{
    static const char *const texts[] = {
        [VPU_EXCEPTION_MISALIGNED] = "exception 1 (misaligned memory access)",
        [VPU_EXCEPTION_DIVISION] = "exception 2 (division by zero)",
        [VPU_EXCEPTION_UNDEFINED] = "exception 3 (undefined instruction)",
        [VPU_EXCEPTION_BREAKPOINT] = "exception 13 (breakpoint)",
        [VPU_EXCEPTION_SWI] = "a software interrupt, for which a job has no handler (weft boot has a machine that may)",
        [FAULT_MODE] = "a change of mode: a job runs in supervisor mode (weft boot has a machine with the others)",
        [FAULT_OUTSIDE] = "there is no code here; a job ends with rts or sleep"};
    return fault < sizeof texts / sizeof *texts ? texts[fault] : NULL;
}

static void trap(struct vpu_lifter *l, unsigned fault)
{
    ir_emit(&l->b, IR_TRAP, IR_VOID, 0, 0, NULL, 0, 0, fault, 0);
    l->ended = true;
}

static void set_interrupts(struct vpu_lifter *l, uint32_t bit)
{
    ir_value sr = vpu_op2c(l, IR_AND, ir_get(&l->b, VPU_FILE_R, VPU_SR, IR_I32), ~(uint32_t)VPU_SR_INTERRUPTS);
    ir_set(&l->b, VPU_FILE_R, VPU_SR, vpu_op2c(l, IR_OR, sr, bit), 0);
}

bool vpu_writes_sr(const struct vpu_insn *i)
{
    unsigned uses = vpu_is_vector(i) ? 0 : vpu_ops[i->op].uses;
    if (uses & VPU_USES_SP)
        return vpu_is_load(i->op);
    return i->d == VPU_SR && uses & VPU_D_WRITE && !(uses & VPU_D_CONTROL);
}

/* The word in VPU_NEW_SR becomes sr; its flags are looked at as bits from here on. */
static void write_sr(struct vpu_lifter *l, const struct vpu_insn *i)
{
    const uint32_t open = VPU_SR_COLUMN | VPU_SR_INTERRUPTS;
    ir_value word = ir_get(&l->b, VPU_FILE_R, VPU_NEW_SR, IR_I32), old = ir_get(&l->b, VPU_FILE_R, VPU_SR, IR_I32);
    ir_check(&l->b, vpu_op2c(l, IR_EQ, vpu_op2c(l, IR_AND, word, VPU_SR_SUPERVISOR), 0), FAULT_MODE);
    ir_value kept = vpu_op2c(l, IR_AND, old, ~open);
    ir_set(&l->b, VPU_FILE_R, VPU_SR, vpu_op2(l, IR_OR, kept, vpu_op2c(l, IR_AND, word, open)), 0);
    ir_set(&l->b, VPU_FILE_R, VPU_FLAG_BITS, vpu_op2c(l, IR_AND, word, VPU_FLAGS), 0);
    l->mode |= VPU_KEY_EXPLICIT;
    if (i->flags & VPU_LINK)
        vpu_jump(l, ir_get(&l->b, VPU_FILE_R, VPU_PC, IR_I32));
    else
        vpu_goto(l, i->address + i->size);
}

/* sleep ends a job as it ends a run of the machine that nothing can wake. */
static void end(struct vpu_lifter *l)
{
    ir_end(&l->b);
    l->ended = true;
}

void vpu_job_call(struct vpu_lifter *l, const struct vpu_insn *i)
{
    const enum vpu_system what = vpu_system_of(i);
    switch (what) {
    case VPU_SYSTEM_SLEEP:
        end(l);
        return;
    case VPU_SYSTEM_ENABLE:
    case VPU_SYSTEM_DISABLE:
        set_interrupts(l, what == VPU_SYSTEM_ENABLE ? VPU_SR_INTERRUPTS : 0);
        return;
    case VPU_SYSTEM_USER:
    case VPU_SYSTEM_RETURN:
        trap(l, FAULT_MODE);
        return;
    case VPU_SYSTEM_INTERRUPT:
        trap(l, VPU_EXCEPTION_SWI);
        return;
    case VPU_SYSTEM_BREAKPOINT:
        trap(l, VPU_EXCEPTION_BREAKPOINT);
        return;
    default:
        if (i->address == VPU_JOB_RETURN)
            end(l);
        else if (vpu_is_data(i) || !vpu_writes_sr(i))
            trap(l, i->size ? VPU_EXCEPTION_UNDEFINED : FAULT_OUTSIDE);
        else
            write_sr(l, i);
        return;
    }
}

/* ---- memory ---- */

static size_t fetch(void *context, uint32_t address, uint8_t *bytes, size_t size)
{
    const struct vpu_job *job = context;
    uint32_t at = address - job->begin, all = job->end - job->begin;
    if (at >= all)
        return 0;
    size = size < all - at ? size : all - at;
    memcpy(bytes, job->image + at, size);
    return size;
}

static weft_status refuse(const struct source *src, weft_diags *diags, const char *why)
{
    diag_add(diags, WEFT_ERROR, "program-address", src ? src->name : NULL, "docs/manual/vpu.md has the addresses",
             "%s", why);
    return WEFT_ERROR_INPUT;
}

static weft_status make_image(struct vpu_job *job, const struct source *src, struct arena *arena, weft_diags *diags)
{
    const struct isa_module *m = job->m;
    uint64_t begin = UINT64_MAX, last = 0;
    for (uint32_t n = 0; n < m->nsections; n++) {
        const struct vpu_section *s = &m->sections[n];
        if (s->size == 0)
            continue;
        begin = begin < s->address ? begin : s->address;
        last = (uint64_t)s->address + s->size > last ? (uint64_t)s->address + s->size : last;
    }
    if (begin > last)
        begin = last;
    if (last > VPU_JOB_STACK_END - job->link.stack)
        return refuse(src, diags, "the program reaches into the addresses of a job's stack and buffers");
    if (last - begin > VPU_JOB_MOST_PROGRAM)
        return refuse(src, diags, "from its first to its last byte the program takes more than 16 MiB");
    job->begin = (uint32_t)begin;
    job->end = (uint32_t)last;
    job->image = arena_alloc(arena, (size_t)(last - begin) + 1);
    for (uint32_t n = 0; n < m->nsections && job->image; n++)
        if (!m->sections[n].nobits && m->sections[n].size)
            vpu_section_bytes(m, &m->sections[n], job->image + (m->sections[n].address - begin));
    return job->image ? WEFT_OK : WEFT_ERROR_MEMORY;
}

struct map {
    struct ir_program *p;
    const struct vpu_job *job;
    size_t cap;
};

static void add_window(struct map *map, struct ir_window window)
{
    struct ir_program *p = map->p;
    if (!window.size)
        return;
    struct ir_window *w = arena_grow(p->arena, p->windows, sizeof *w, p->nwindows, &map->cap, (size_t)p->nwindows + 1);
    if (!w)
        return;
    p->windows = w;
    w[p->nwindows++] = window;
}

static void add_own(struct map *map, uint32_t first, uint32_t last, bool code)
{
    if (first < last)
        add_window(map, (struct ir_window){.first = first,
                                           .size = last - first,
                                           .kind = IR_SPACE_SHARED,
                                           .read_only = code,
                                           .bytes = map->job->image + (first - map->job->begin),
                                           .nbytes = last - first});
}

/* Instructions stay as they are; data between them is the workgroup's own. */
static void add_program(struct map *map)
{
    const struct vpu_job *job = map->job;
    const struct isa_module *m = job->m;
    uint32_t data = job->begin, code = job->begin; /* where the data and the code after it begin */
    bool in_code = false;
    for (uint32_t n = 0; n < m->ninsns; n++) {
        const struct vpu_insn *i = &m->insns[n];
        bool is_code = vpu_is_insn(i);
        if (is_code && in_code && i->address == data) {
            data += i->size;
        } else if (is_code) {
            add_own(map, code, in_code ? data : code, true);
            add_own(map, data, i->address, false);
            code = i->address;
            data = i->address + i->size;
            in_code = true;
        }
    }
    add_own(map, code, in_code ? data : code, true);
    add_own(map, data, job->end, false);
}

static void add_windows(struct ir_program *p, const struct vpu_job *job)
{
    struct map map = {.p = p, .job = job};
    add_program(&map);
    add_window(&map, (struct ir_window){.first = VPU_JOB_STACK_END - job->link.stack,
                                        .size = job->link.stack,
                                        .kind = IR_SPACE_SHARED});
    for (unsigned n = 0; n < VPU_LINK_BUFFERS; n++)
        add_window(&map, (struct ir_window){.first = VPU_JOB_UNIFORM(n),
                                            .size = VPU_JOB_WINDOW,
                                            .kind = IR_SPACE_CONST,
                                            .slot = (uint16_t)n,
                                            .read_only = true});
    for (unsigned n = 0; n < VPU_LINK_BUFFERS; n++)
        add_window(&map, (struct ir_window){.first = VPU_JOB_STORAGE(n),
                                            .size = VPU_JOB_WINDOW,
                                            .kind = IR_SPACE_GLOBAL,
                                            .slot = (uint16_t)n});
}

/* ---- the start ---- */

static ir_value storage_size(struct vpu_lifter *l, uint32_t number)
{
    uint32_t space = lift_buffer_space(l->b.p, "storage", IR_SPACE_GLOBAL, number);
    struct ir_image image = {.dim = IR_TEX_BUFFER, .binding = IR_IMAGE_SPACE, .image = (uint16_t)space};
    ir_value size = ir_image_op(&l->b, IR_SVC_RESOURCE_SIZE, image, NULL, 0);
    return ir_emit(&l->b, IR_FIRST, IR_I32, 0, 1, &size, 1, 0, 0, 0);
}

static ir_value linked(struct vpu_lifter *l, const struct vpu_link *link)
{
    switch ((enum vpu_link_kind)link->kind) {
    case VPU_LINK_NUMBER:
        break;
    case VPU_LINK_STORAGE_SIZE:
        return storage_size(l, link->value);
    case VPU_LINK_PUSH_WORD:
        return ir_load(&l->b, (struct ir_mem){.elem = IR_I32, .count = 1}, IR_I32,
                       vpu_const(l, VPU_JOB_UNIFORM(VPU_LINK_PUSH) + link->value));
    case VPU_LINK_GROUP:
        return link->value < 3 ? ir_sysval(&l->b, IR_SYS_BLOCK_ID, IR_I32, link->value) : lift_group_number(&l->b);
    case VPU_LINK_GROUPS:
        return ir_sysval(&l->b, IR_SYS_GRID_SIZE, IR_I32, link->value);
    }
    return vpu_const(l, link->value);
}

static void set_registers(struct vpu_lifter *l)
{
    const struct vpu_link *reg = l->job->link.reg;
    for (unsigned n = 0; n < VPU_LINK_REGISTERS; n++)
        if (reg[n].kind != VPU_LINK_NUMBER || reg[n].value)
            ir_set(&l->b, VPU_FILE_R, n, linked(l, &reg[n]), 0);
    ir_set(&l->b, VPU_FILE_R, VPU_SR, vpu_const(l, VPU_SR_SUPERVISOR), 0);
    ir_set(&l->b, VPU_FILE_R, VPU_FLAG_A, vpu_const(l, 1), 0); /* no flag is set */
}

/* ---- all the code ---- */

static void add_landing(struct vpu_job *job, struct arena *arena, uint32_t address)
{
    size_t count = job->nlandings;
    uint32_t *list = arena_grow(arena, job->landing, sizeof *list, count, &job->landings_cap, count + 1);
    if (!list)
        return;
    job->landing = list;
    list[job->nlandings++] = address;
}

void vpu_job_return_to(struct vpu_lifter *l, uint32_t address)
{
    add_landing(l->job, l->b.p->arena, address);
}

/* Where a jump to a register may lead beside returns: symbols of code, which the disassembler gives to what its tables
 * and addresses lead to, and entries of switch tables, which numbered labels may name too. */
static void find_landings(struct vpu_job *job, struct arena *arena)
{
    const struct isa_module *m = job->m;
    add_landing(job, arena, VPU_JOB_RETURN);
    for (uint32_t n = 0; n < m->nsymbols; n++) {
        const struct vpu_insn *i = m->symbols[n].section == VPU_ABSOLUTE ? NULL : vpu_insn_at(m, m->symbols[n].address);
        if (i && vpu_is_insn(i))
            add_landing(job, arena, i->address);
    }
    for (uint32_t n = 0; n < m->ninsns; n++) {
        const struct vpu_insn *i = &m->insns[n];
        if (!vpu_is_data(i) || !(i->flags & VPU_CASE))
            continue;
        int32_t entry = i->size == 1 ? (int8_t)i->bytes[0] : (int16_t)(i->bytes[0] | i->bytes[1] << 8);
        add_landing(job, arena, (uint32_t)i->imm + 2 * (uint32_t)entry);
    }
}

/* Code is entered with the flags in either form where a jump may lead, once any code has them as bits. */
static void lift_all(struct vpu_lifter *l)
{
    uint32_t plain = 0, with_bits = 0;
    do {
        vpu_lift_todo(l);
        for (; plain < l->job->nlandings; plain++)
            vpu_block_of(l, l->job->landing[plain]);
        for (; l->has_explicit && with_bits < l->job->nlandings; with_bits++)
            vpu_block_of(l, l->job->landing[with_bits] | VPU_KEY_EXPLICIT);
    } while (l->ntodo && !arena_failed(l->b.p->arena));
}

/* The instruction at an address, or before it where code ends. */
static const struct vpu_insn *insn_near(const struct isa_module *m, uint32_t address)
{
    const struct vpu_insn *i = vpu_insn_at(m, address);
    for (uint32_t n = 0; !i && n < m->ninsns; n++)
        if (m->insns[n].address + m->insns[n].size == address)
            i = &m->insns[n];
    return i;
}

/* Instructions are told apart by their lines. */
static void set_lines(struct ir_program *p, const struct isa_module *m, const struct source *src)
{
    uint32_t count = source_line(src, (uint32_t)src->size), line = 1;
    uint32_t *start = ARENA_ARRAY(p->arena, uint32_t, count + 1);
    for (uint32_t at = 0; start && at < src->size; at++)
        if (src->text[at] == '\n')
            start[line++] = at + 1;
    for (uint32_t n = 0; start && n < p->ninsns; n++) {
        const struct vpu_insn *i = insn_near(m, (uint32_t)p->insns[n].addr);
        uint32_t low = 0, high = line;
        while (i && i->where.length && high - low > 1) {
            uint32_t middle = (low + high) / 2;
            *(start[middle] <= i->where.offset ? &low : &high) = middle;
        }
        p->insns[n].line = i && i->where.length ? low + 1 : 0;
    }
}

weft_status vpu_lift(const struct isa_module *m, const struct source *src, struct arena *arena, struct ir_program **out,
                     weft_diags *diags)
{
    struct vpu_job job = {.m = m};
    struct vpu_lifter l;
    *out = NULL;
    weft_status status = vpu_read_linkage(m->linkage, arena, &job.link, diags);
    if (status == WEFT_OK)
        status = make_image(&job, src, arena, diags);
    struct ir_program *p = status == WEFT_OK ? ir_program_new(arena, "vpu", IR_COMPUTE, LANES) : NULL;
    if (!p)
        return status == WEFT_OK ? WEFT_ERROR_MEMORY : status;
    p->io.block[0] = LANES;
    p->io.block[1] = p->io.block[2] = 1;
    p->fault_text = fault_text;
    vpu_lifter_open(&l, p, (struct vpu_code){fetch, &job}, false);
    l.job = &job;
    find_landings(&job, arena);
    set_registers(&l);
    ir_goto(&l.b, vpu_block_of(&l, m->entry));
    lift_all(&l);
    add_windows(p, &job);
    if (src)
        set_lines(p, m, src);
    *out = p;
    return arena_failed(arena) ? WEFT_ERROR_MEMORY : WEFT_OK;
}
