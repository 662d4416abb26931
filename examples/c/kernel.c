/* kernel.c - run a compute program on memory of your own (weft/run.h).
 *
 *     cc kernel.c -o kernel $(pkg-config --cflags --libs weft) && ./kernel
 *
 * The program adds a multiple of each element of buffer 0 to the element of buffer 1. Any instruction set would do;
 * this is TGSI, whose programs say themselves what they are bound to. */
#include <stdio.h>
#include <string.h>
#include <weft/weft.h>

static const char text[] = "COMP\n"
                           "PROPERTY CS_FIXED_BLOCK_WIDTH 4\n"
                           "DCL SV[0], BLOCK_ID\n"
                           "DCL SV[1], THREAD_ID\n"
                           "DCL BUFFER[0..1]\n"
                           "DCL CONST[0]\n"
                           "DCL TEMP[0..2]\n"
                           "IMM[0] UINT32 {4, 2, 0, 0}\n"
                           "UMAD TEMP[0].x, SV[0].xxxx, IMM[0].xxxx, SV[1].xxxx\n"
                           "SHL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
                           "LOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx\n"
                           "LOAD TEMP[2].x, BUFFER[1], TEMP[0].xxxx\n"
                           "MAD TEMP[2].x, TEMP[1].xxxx, CONST[0].xxxx, TEMP[2].xxxx\n"
                           "STORE BUFFER[1].x, TEMP[0].xxxx, TEMP[2].xxxx\n"
                           "END\n";

static void show_messages(const weft_diags *diags)
{
    char message[1000];
    for (size_t i = 0; i < weft_diags_count(diags); i++) {
        weft_diag_format(weft_diags_get(diags, i), 0, message, sizeof message);
        fprintf(stderr, "%s\n", message);
    }
}

/* Called before each instruction: show what invocation 5 does, and what TEMP[2].x holds by then. */
static weft_answer watch(void *context, weft_step *step)
{
    (void)context;
    for (unsigned lane = 0; lane < 64; lane++) {
        weft_invocation who = {.size = sizeof who};
        uint64_t bits = 0;
        if (weft_step_invocation(step, lane, &who) != WEFT_OK || who.number != 5)
            continue;
        weft_step_read(step, "TEMP", 4 * 2, lane, &bits);
        printf("  line %2u  %-58s TEMP[2].x = 0x%08x\n", (unsigned)weft_step_line(step), weft_step_text(step),
               (unsigned)bits);
    }
    return WEFT_GO_ON;
}

static void show_floats(const char *name, const float *values, int count)
{
    printf("%s:", name);
    for (int i = 0; i < count; i++)
        printf(" %g", (double)values[i]);
    printf("\n");
}

/* A runner of the program; NULL after an error. */
static weft_runner *make_runner(const weft_program *program, weft_instruction_hook *hook, weft_diags *diags)
{
    weft_runner_options options;
    weft_runner *runner = NULL;
    weft_runner_options_init(&options);
    options.instruction = hook; /* NULL: nothing is watched, and it costs nothing */
    weft_runner_new(&program, 1, &options, diags, &runner);
    return runner;
}

int main(void)
{
    float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8] = {0}, z[8] = {100, 200, 300, 400};
    const float factor[4] = {0.5f, 0, 0, 0};
    weft_diags *diags = weft_diags_new();
    weft_program *program = NULL;
    weft_status status = weft_program_from_text("tgsi", "kernel", text, strlen(text), NULL, diags, &program);
    weft_runner *runner = program ? make_runner(program, NULL, diags) : NULL;
    weft_runner *watched = program ? make_runner(program, watch, diags) : NULL;

    if (runner && watched) {
        /* Two workgroups of four, on x and y; then one on x and z. */
        weft_runner_bind_constants(runner, 0, factor, sizeof factor, diags);
        weft_runner_bind_buffer(runner, 0, x, sizeof x, diags);
        weft_runner_bind_buffer(runner, 1, y, sizeof y, diags);
        status = weft_runner_dispatch(runner, 2, 1, 1, diags);
        weft_runner_bind_buffer(runner, 1, z, sizeof z, diags);
        if (status == WEFT_OK)
            status = weft_runner_dispatch(runner, 1, 1, 1, diags);
        show_floats("y", y, 8);
        show_floats("z", z, 8);

        weft_runner_bind_constants(watched, 0, factor, sizeof factor, diags);
        weft_runner_bind_buffer(watched, 0, x, sizeof x, diags);
        weft_runner_bind_buffer(watched, 1, y, sizeof y, diags);
        printf("invocation 5:\n");
        if (status == WEFT_OK)
            status = weft_runner_dispatch(watched, 2, 1, 1, diags);
    }
    show_messages(diags);
    weft_runner_free(runner);
    weft_runner_free(watched);
    weft_program_free(program);
    weft_diags_free(diags);
    return status == WEFT_OK ? 0 : 1;
}
