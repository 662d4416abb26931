/* GLSL and HLSL: compiled, or refused with a reason; what glslang makes is checked, lifted and run (spirv_run.h). The
 * first line is "// STAGE" or "// hlsl STAGE".
 *
 * glslang works in a process of its own, which goes from input to input: where it dies of a signal or takes five
 * seconds, the input is left out, how often is said on standard error, and another process takes its place. */
#include "spirv_run.h"
#include "spirv_words.h"
#include "text_mutator.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SECONDS = 5 };

static struct {
    pid_t process; /* 0: none */
    int to, from;
} compiler;

/* All of it; false: the other end is gone. */
static bool move_all(int file, void *memory, size_t size, bool out)
{
    for (size_t done = 0; done < size;) {
        char *at = (char *)memory + done;
        ssize_t n = out ? write(file, at, size - done) : read(file, at, size - done);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static uint32_t compile(const uint8_t *data, size_t size, uint32_t *words)
{
    struct arena arena = {0};
    struct isa_module *m = NULL;
    struct isa_params params = {.stage = -1};
    struct source src;
    enum ir_stage stage;
    bool hlsl;
    uint32_t count = 0;
    weft_diags *diags = weft_diags_new();
    if (source_text(data, size, &src, &stage, &hlsl)) {
        must(isa_find_language(hlsl ? "hlsl" : "glsl", &params.language) == &isa_spirv);
        params.stage = (int)stage;
        weft_status status = spirv_parse(&src, &params, &arena, &m, diags);
        must((status == WEFT_OK) == (m != NULL));
        must((status == WEFT_OK) == (weft_diags_errors(diags) == 0));
    }
    if (m && m->nwords < MOST_WORDS) {
        count = m->nwords;
        memcpy(words, m->words, count * 4);
    }
    weft_diags_free(diags);
    arena_free(&arena);
    return count;
}

/* What fails in weft is an exit status, what fails in glslang a signal. */
static void serve(int from, int to)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM, SIGTERM, SIGINT};
    static uint8_t text[MOST_TEXT];
    static uint32_t words[MOST_WORDS];
    uint32_t size;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    while (move_all(from, &size, sizeof size, false) && move_all(from, text, size, false)) {
        alarm(SECONDS);
        uint32_t count = compile(text, size, words);
        alarm(0);
        if (!move_all(to, &count, sizeof count, true) || !move_all(to, words, count * 4, true))
            break;
    }
    _exit(0);
}

static void begin(void)
{
    int there[2], back[2];
    must(pipe(there) == 0 && pipe(back) == 0);
    compiler.process = fork();
    must(compiler.process >= 0);
    if (compiler.process == 0) {
        close(there[1]);
        close(back[0]);
        serve(there[0], back[1]);
    }
    close(there[0]);
    close(back[1]);
    compiler.to = there[1];
    compiler.from = back[0];
}

/* Inputs that glslang dies of go to the folder that WEFT_FUZZ_DEATHS names. */
static void bury(const uint8_t *data, size_t size)
{
    static unsigned long deaths;
    int status = 0;
    close(compiler.to);
    close(compiler.from);
    must(waitpid(compiler.process, &status, 0) == compiler.process);
    compiler.process = 0;
    must(WIFSIGNALED(status) && WTERMSIG(status) != SIGABRT);
    fprintf(stderr, "glslang died, %lu times by now (signal %d)\n", ++deaths, WTERMSIG(status));
    char name[4096];
    const char *folder = getenv("WEFT_FUZZ_DEATHS");
    snprintf(name, sizeof name, "%s/glslang-%lu", folder ? folder : "", deaths);
    FILE *out = folder ? fopen(name, "wb") : NULL;
    if (out) {
        fwrite(data, 1, size, out);
        fclose(out);
    }
}

/* How many words there are; 0: none. */
static uint32_t compile_apart(const uint8_t *data, size_t size, uint32_t *words)
{
    uint32_t length = (uint32_t)size, count = 0;
    if (!compiler.process)
        begin();
    if (!move_all(compiler.to, &length, sizeof length, true) ||
        !move_all(compiler.to, (void *)(uintptr_t)data, size, true) ||
        !move_all(compiler.from, &count, sizeof count, false) || !move_all(compiler.from, words, count * 4, false)) {
        bury(data, size);
        return 0;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint32_t words[MOST_WORDS];
    enum ir_stage stage;
    bool hlsl;
    struct source src;
    signal(SIGPIPE, SIG_IGN);
    if (size > MOST_TEXT || !source_text(data, size, &src, &stage, &hlsl))
        return 0;
    struct arena arena = {.limit = 256u << 20};
    uint32_t count = compile_apart(data, size, words);
    if (count)
        run_words((struct spirv_words){words, count}, NULL, &arena);
    arena_free(&arena);
    return 0;
}
