/* vpu.c - how fast the VPU's machine executes: scalar code beside QEMU's emulation of a RISC-V, and vector code. */
#include "bench.h"
#include "riscv.h"
#include "statistics.h"

#include "cli/cli.h"
#include "device/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weft/program.h>

enum { PASSES_UNIT = 4096, PASSES = 64 * PASSES_UNIT };
enum { VECTOR_LOOP = 1 << 20, VECTOR_OF_LOOP = 16, INSTRUCTIONS_OF_LOOP = 17 };

struct image {
    uint8_t *bytes;
    size_t size;
};

static bool assemble(const char *path, struct image *out)
{
    struct cli_bytes in;
    weft_program *program = NULL;
    weft_diags *diags = weft_diags_new();
    bool ok = cli_read(path, &in);
    *out = (struct image){0};
    ok = ok && weft_program_from_text("vpu", path, in.data, in.size, NULL, diags, &program) == WEFT_OK &&
         weft_program_bytes(program, &out->bytes, &out->size, diags) == WEFT_OK;
    cli_report(diags);
    weft_program_free(program);
    weft_diags_free(diags);
    return ok;
}

/* ---- the machine ---- */

struct run {
    uint64_t instructions;
    double seconds;
    struct riscv_result result;
};

/* Run an image at 0 with r6 set, to the `sleep` at its end. */
static bool run_image(const struct image *image, enum exec_engine engine, uint32_t r6, struct run *out)
{
    struct machine_params params = {.sdram = 16 << 20, .level = exec_best_level(), .engine = engine};
    struct machine *m = machine_new(&params);
    weft_diags *diags = weft_diags_new();
    bool ok = m && machine_load(m, "image", image->bytes, image->size, 0, diags) == WEFT_OK;
    if (ok) {
        machine_set_register(m, 6, r6);
        double start = cpu_seconds();
        ok = machine_run(m, 0) == MACHINE_SLEEP && machine_register(m, 0) == 0;
        out->seconds = cpu_seconds() - start;
        out->instructions = machine_instructions(m);
        out->result = (struct riscv_result){machine_register(m, 3), machine_register(m, 7)};
    }
    cli_report(diags);
    weft_diags_free(diags);
    machine_free(m);
    return ok;
}

/* Millions of instructions per CPU second; negative when the program failed. */
static double measure(const struct options *o, const struct image *image, enum exec_engine engine, uint32_t r6)
{
    struct run all = {0};
    do {
        struct run one;
        if (!run_image(image, engine, r6, &one))
            return -1;
        all.instructions += one.instructions;
        all.seconds += one.seconds;
    } while (all.seconds < o->seconds);
    return 1e-6 * (double)all.instructions / all.seconds;
}

/* ---- QEMU ---- */

static double children_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* Run a program by qemu-riscv64 and take the bytes that it writes. False when there is no such emulator or it fails. */
static bool run_qemu(const char *program, void *out, size_t size)
{
    int ends[2], status = -1;
    if (pipe(ends) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execlp("qemu-riscv64", "qemu-riscv64", program, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    bool ok = child > 0 && read(ends[0], out, size) == (ssize_t)size;
    close(ends[0]);
    ok = child > 0 && waitpid(child, &status, 0) == child && status == 0 && ok;
    return ok;
}

static bool qemu_passes(uint32_t passes, struct run *out)
{
    char path[] = "/tmp/weft-bench-XXXXXX";
    int file = mkstemp(path);
    bool ok = file >= 0 && riscv_write(file, passes);
    if (file >= 0) {
        fchmod(file, 0700);
        close(file);
    }
    double start = children_seconds();
    ok = ok && run_qemu(path, &out->result, sizeof out->result);
    out->seconds = children_seconds() - start;
    out->instructions = riscv_instructions(passes, out->result.below);
    if (file >= 0)
        unlink(path);
    return ok;
}

/* As many passes as take the time that one measurement is to take. The result is compared for few of them. */
static double measure_qemu(const struct options *o, const struct riscv_result *wanted, bool *same)
{
    struct run run;
    uint32_t passes = PASSES_UNIT;
    if (!qemu_passes(passes, &run))
        return -1;
    *same = memcmp(&run.result, wanted, sizeof *wanted) == 0;
    while (run.seconds < o->seconds && passes < UINT32_MAX / 8) {
        passes *= 4;
        if (!qemu_passes(passes, &run))
            return -1;
    }
    return 1e-6 * (double)run.instructions / run.seconds;
}

/* ---- rows ---- */

/* By handlers alone, and as a machine runs unless told otherwise. */
enum { INTERP, AUTO, WAYS };
static const enum exec_engine engine_of[WAYS] = {EXEC_ENGINE_INTERP, EXEC_ENGINE_AUTO};

static void put_row(const char *name, const double rate[WAYS], double qemu, bool same)
{
    printf("%-14s", name);
    if (rate[AUTO] < 0)
        printf("    failed");
    else
        printf(" %9.0f %9.0f", rate[INTERP], rate[AUTO]);
    if (rate[AUTO] > 0 && qemu > 0)
        printf(" %9.0f %9.3f%s", qemu, rate[AUTO] / qemu, same ? "" : "   DIFFERENT");
    printf("\n");
    fflush(stdout);
}

/* Medians of both ways; false when the program failed. */
static bool measure_ways(const struct options *o, const struct image *image, uint32_t r6, double rate[WAYS])
{
    for (unsigned way = 0; way < WAYS; way++) {
        double one[MAX_ROUNDS];
        rate[way] = -1;
        for (unsigned r = 0; r < o->rounds; r++) {
            one[r] = measure(o, image, engine_of[way], r6);
            if (one[r] < 0)
                return false;
        }
        rate[way] = median(one, o->rounds);
    }
    return true;
}

static bool bench_scalar(const struct options *o)
{
    struct image image;
    struct run once;
    double rate[WAYS] = {-1, -1}, qemu[MAX_ROUNDS] = {-1};
    bool same = true, ok = assemble("bench/vpu/scalar.vpu", &image) &&
                           run_image(&image, EXEC_ENGINE_INTERP, PASSES_UNIT, &once) &&
                           measure_ways(o, &image, PASSES, rate);
    for (unsigned r = 0; ok && r < o->rounds; r++)
        qemu[r] = o->no_peers ? -1 : measure_qemu(o, &once.result, &same);
    weft_free(image.bytes);
    put_row("vpu-scalar", rate, ok ? median(qemu, o->rounds) : -1, same);
    if (ok && !o->no_peers && qemu[0] < 0)
        printf("               qemu-riscv64 cannot be run: Debian has it in qemu-user\n");
    return ok && same;
}

static bool bench_vector(const struct options *o)
{
    struct image image;
    double rate[WAYS] = {-1, -1};
    bool ok = assemble("bench/vpu/vector.vpu", &image) && measure_ways(o, &image, VECTOR_LOOP, rate);
    for (unsigned way = 0; way < WAYS; way++)
        rate[way] = rate[way] * VECTOR_OF_LOOP / INSTRUCTIONS_OF_LOOP;
    weft_free(image.bytes);
    put_row("vpu-vector", rate, -1, true);
    return ok;
}

/* A compiled program of the reference results, where they lie beside the source. */
static bool bench_compiled(const struct options *o)
{
    char path[SCENE_PATH];
    const char *vectors = getenv("VECTORS");
    struct cli_bytes in;
    double rate[WAYS];
    snprintf(path, sizeof path, "%s/vpu/c/mips_dhry.O2.bin", vectors ? vectors : "../shared/vectors");
    if (access(path, R_OK) != 0 || !cli_read(path, &in))
        return true;
    struct image image = {(uint8_t *)in.data, in.size};
    bool ok = measure_ways(o, &image, 0, rate);
    free(in.data);
    put_row("vpu-compiled", rate, -1, true);
    return ok;
}

bool bench_vpu(const struct options *o)
{
    bool ok = true, scalar = is_wanted(o, "vpu-scalar"), vector = is_wanted(o, "vpu-vector");
    bool compiled = is_wanted(o, "vpu-compiled");
    if (scalar || vector || compiled)
        printf("\nThe VPU's machine: millions of instructions per CPU second, medians of %u\n\n%-14s %9s %9s %9s %9s\n",
               o->rounds, "", "interp", "weft", "qemu", "/qemu");
    if (scalar)
        ok = bench_scalar(o);
    if (compiled)
        ok = bench_compiled(o) && ok;
    if (vector)
        ok = bench_vector(o) && ok;
    return ok;
}
