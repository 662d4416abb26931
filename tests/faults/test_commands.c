/* test_commands.c WEFT INJECT SOURCE - the n-th time that a command asks for memory, reads, writes, closes or renames,
 * it fails, or a signal comes; for each n until it gets through (a sample of them; all with WEFT_TEST_ALL set).
 * The file that it writes is whole or as it was, nothing else is left in the folder, and where it does not get through
 * a message says what failed, with exit status 1. */
#include "inject.h"
#include "turn.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 16, SAMPLE = 8, EACH_OF_FIRST = 4, STRANGE = 1 << 14, SECONDS = 60, ROOM = 1 << 20 };

/* A word that begins with @ is a file of the source; OUT is the file that is written. */
struct command {
    const char *name;
    const char *words[WORDS];
    const char *input; /* of standard input; NULL: nothing */
};

static const struct command commands[] = {
    {"asm", {"asm", "-i", "vpu", "-o", "OUT", "in.vpu"}, NULL},
    {"asm of standard input", {"asm", "-i", "tesla", "-f", "hex", "-o", "OUT"}, "mov b32 $r0 $r1\nexit nop\n"},
    {"asm, elf", {"asm", "-f", "elf", "-o", "OUT", "include.vpu"}, NULL},
    {"asm, each", {"asm", "-i", "tesla", "--each", "-f", "hex", "-o", "OUT", "each.txt"}, NULL},
    {"dis", {"dis", "-i", "vpu", "-o", "OUT", "in.bin"}, NULL},
    {"dis, json", {"dis", "-i", "tesla", "--json", "-o", "OUT", "in.bin"}, NULL},
    {"dis, graph", {"dis", "-i", "tesla", "--graph", "-o", "OUT", "in.bin"}, NULL},
    {"check", {"check", "@examples/tgsi/phong.tgsi"}, NULL},
    {"check of a list", {"check", "--list", "list.txt", "@examples/tgsi/blur.tgsi"}, NULL},
    {"explain", {"explain", "-i", "valhall", "FADD.f32 r0, r1, r2"}, NULL},
    {"isa", {"isa", "tesla", "add"}, NULL},
    {"draw", {"draw", "@examples/tgsi/textured.tgsi", "--texture", "0=@examples/textures/tiles.png", "--size", "16x16",
              "-o", "OUT.png"}, NULL},
    {"draw, raw", {"draw", "@examples/tgsi/phong.tgsi", "--mesh", "cube", "--size", "16x16", "-o", "OUT.raw"}, NULL},
    {"run", {"run", "@examples/rogue/sum.amber"}, NULL},
    {"run, json", {"run", "--json", "@examples/tesla/vector-add.amber", "@examples/rogue/sum.amber"}, NULL},
    {"run, dump", {"run", "job.amber", "--dump", "fb=OUT.png"}, NULL},
    {"run, trace", {"run", "job.amber", "--trace", "OUT", "--trace-at", "1,1"}, NULL},
    {"run a program", {"run", "-i", "tgsi", "kernel.tgsi", "--buffer", "0=in.bin", "--dump-buffer", "0=OUT"}, NULL},
    {"resumed run", {"run", "--resume", "OUT.journal", "@examples/rogue/sum.amber"}, NULL},
    {"boot", {"boot", "loop.bin"}, NULL},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* Small files that commands read. */
static const struct {
    const char *name, *text;
} files[] = {
    {"in.vpu", "mov r0, 1\nadd r0, 2\nrts\n"},
    {"include.vpu", ".include \"part.inc\"\nstart: bl part\nb start\n.incbin \"in.bin\"\n.globl start\n"},
    {"part.inc", "part: mov r0, 1\nrts\n"},
    {"each.txt", "mov b32 $r0 $r1\nexit nop\nadd b32 $r0 $r1 $r2\n"},
    {"in.bin", "\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x5a\x00\x01\x00\x02\x00"},
    {"list.txt", "kernel.tgsi\nkernel.tgsi\n"},
    {"kernel.tgsi",
     "COMP\nDCL BUFFER[0]\nIMM[0] UINT32 {0, 7, 0, 0}\nSTORE BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy\nEND\n"},
    {"shader.tgsi", "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 0.5, 0, 1}\nMOV OUT[0], IMM[0]\nEND\n"},
    {"data.txt", "1 2 3 4\n"},
    {"job.amber", "#!amber\nBUFFER fb FORMAT B8G8R8A8_UNORM\nSHADER vertex v PASSTHROUGH\n"
                  "SHADER fragment f TGSI FILE shader.tgsi\nPIPELINE graphics p\nATTACH v\nATTACH f\n"
                  "FRAMEBUFFER_SIZE 16 16\nBIND BUFFER fb AS color LOCATION 0\nEND\n"
                  "RUN p DRAW_RECT POS 0 0 SIZE 16 16\n"},
    {"loop.bin", ""}, /* bytes below */
};

static const char *weft, *preloaded, *source;
static char outside[64] = "/tmp/weft-faults-XXXXXX", folder[80];
static unsigned long times, faults, kinds_faults[INJECT_KINDS];

/* What a command did. */
struct outcome {
    int status; /* as waitpid gives it */
    char *out, *err, *file; /* NULL: there is no file */
    size_t out_size, err_size, file_size;
    char left[200]; /* a name in the folder that nobody asked for */
};

static void die(const char *what)
{
    printf("Bail out! %s: %s\n", what, strerror(errno));
    exit(2);
}

static void put(const char *name, const char *text, size_t size)
{
    FILE *f = fopen(name, "wb");
    if (!f || fwrite(text, 1, size, f) != size || fclose(f) != 0)
        die(name);
}

static char *get(const char *name, size_t *size)
{
    FILE *f = fopen(name, "rb");
    char *text = f ? malloc(ROOM) : NULL;
    *size = text ? fread(text, 1, ROOM, f) : 0;
    if (f)
        fclose(f);
    return text;
}

static void forget(struct outcome *o)
{
    free(o->out);
    free(o->err);
    free(o->file);
    *o = (struct outcome){0};
}

/* The file that a command writes: its last word with OUT in it. */
static const char *written(const struct command *c)
{
    const char *found = NULL;
    for (int i = 0; i < WORDS && c->words[i]; i++)
        if (strstr(c->words[i], "OUT"))
            found = strstr(c->words[i], "OUT");
    return found;
}

static bool is_known(const char *name, const struct command *c)
{
    const char *out = written(c);
    if (name[0] == '.' || (out && strcmp(name, out) == 0))
        return true;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (strcmp(name, files[i].name) == 0)
            return true;
    return false;
}

static void look_around(const struct command *c, struct outcome *o)
{
    DIR *d = opendir(".");
    for (struct dirent *e; d && (e = readdir(d)) != NULL;)
        if (!is_known(e->d_name, c)) {
            snprintf(o->left, sizeof o->left, "%.190s", e->d_name);
            unlink(e->d_name);
        }
    if (d)
        closedir(d);
}

static void start(const struct command *c, const char *out)
{
    static char expanded[WORDS][4096];
    char *argv[WORDS + 2] = {(char *)"weft"}, path[120];
    for (int i = 0; i < WORDS && c->words[i]; i++) {
        const char *at = strchr(c->words[i], '@');
        snprintf(expanded[i], sizeof expanded[i], "%.*s%s%s%s", at ? (int)(at - c->words[i]) : 0, c->words[i],
                 at ? source : "", at ? "/" : "", at ? at + 1 : c->words[i]);
        argv[i + 1] = expanded[i];
    }
    snprintf(path, sizeof path, "%s/in", outside);
    put(path, c->input ? c->input : "", c->input ? strlen(c->input) : 0);
    int in = open(path, O_RDONLY), to = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    snprintf(path, sizeof path, "%s/err", outside);
    int err = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(in, 0);
    dup2(to, 1);
    dup2(err, 2);
    close(in);
    close(to);
    close(err);
    snprintf(path, sizeof path, "%s/state", outside);
    setenv("WEFT_FAULTS", path, 1);
    setenv("LD_PRELOAD", preloaded, 1);
    setenv("WEFT_ENGINE", "interp", 1);
    alarm(SECONDS);
    execv(weft, argv);
    _exit(127);
}

static void run(const struct command *c, int kind, unsigned long at, bool lasting, int signal, bool full,
                struct outcome *o)
{
    char path[120];
    const char *file = written(c);
    if (file && !strstr(file, "journal"))
        put(file, "old\n", 4);
    else if (file)
        unlink(file);
    *inject = (struct inject){.kind = kind, .at = at, .lasting = lasting, .signal = signal};
    snprintf(path, sizeof path, "%s/out", outside);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        start(c, full ? "/dev/full" : path);
    if (pid < 0 || waitpid(pid, &o->status, 0) != pid)
        die("fork");
    times++;
    faults += inject->fired;
    kinds_faults[kind] += inject->fired;
    o->out = get(path, &o->out_size);
    snprintf(path, sizeof path, "%s/err", outside);
    o->err = get(path, &o->err_size);
    o->file = file ? get(file, &o->file_size) : NULL;
    look_around(c, o);
}

static bool same(const char *a, size_t na, const char *b, size_t nb)
{
    return (a || na == 0) && na == nb && (na == 0 || memcmp(a, b, na) == 0);
}

static bool mentions(const struct outcome *o, const char *word)
{
    /* with --json messages are on standard output */
    return (o->err_size && memmem(o->err, o->err_size, word, strlen(word))) ||
           (o->out_size && memmem(o->out, o->out_size, word, strlen(word)));
}

/* Does a message name a file of the command? */
static bool names_file(const struct command *c, const struct outcome *o)
{
    if (mentions(o, "<stdout>") || mentions(o, "<stdin>"))
        return true;
    for (int i = 1; i < WORDS && c->words[i]; i++) {
        const char *slash = strrchr(c->words[i], '/'), *name = slash ? slash + 1 : c->words[i];
        const char *equals = strrchr(name, '=');
        if (strchr(name, '.') && mentions(o, equals ? equals + 1 : name))
            return true;
        if (strstr(name, "OUT") && mentions(o, "OUT"))
            return true;
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (mentions(o, files[i].name))
            return true;
    return false;
}

/* Is it as it should be? `fine` is what it does without a fault. Returns what is wrong, or NULL. */
static const char *judge(const struct command *c, int kind, int signal, const struct outcome *o,
                         const struct outcome *fine)
{
    bool whole = o->file && same(o->file, o->file_size, fine->file, fine->file_size);
    bool old = o->file && same(o->file, o->file_size, "old\n", 4);
    bool journal = written(c) && strstr(written(c), "journal");
    if (o->left[0])
        return "a file is left";
    if (written(c) && !journal && !whole && !old)
        return "the file is neither old nor new";
    if (kind == INJECT_SIGNAL && WIFSIGNALED(o->status) && WTERMSIG(o->status) == signal)
        return NULL;
    if (WIFSIGNALED(o->status))
        return WTERMSIG(o->status) == SIGALRM ? "it takes too long" : "it was killed by a signal";
    bool through = WEXITSTATUS(o->status) == WEXITSTATUS(fine->status) &&
                   same(o->out, o->out_size, fine->out, fine->out_size) && (!written(c) || journal || whole);
    if (through)
        return NULL;
    if (WEXITSTATUS(o->status) == 0)
        return "all is said to be fine, and it is not";
    if (kind == INJECT_SHORT || kind == INJECT_EINTR)
        return "it does not get through";
    if (WEXITSTATUS(o->status) != 1)
        return "another exit status than 1";
    if (kind == INJECT_MEMORY)
        return mentions(o, "memory") ? NULL : "no message names memory";
    if (!mentions(o, strerror(kind == INJECT_EIO ? EIO : ENOSPC)))
        return "no message has the reason";
    return names_file(c, o) ? NULL : "no message names the file";
}

static const char *const kind_names[INJECT_KINDS] = {
    [INJECT_MEMORY] = "memory", [INJECT_SHORT] = "short", [INJECT_EINTR] = "EINTR",
    [INJECT_EIO] = "EIO",       [INJECT_ENOSPC] = "ENOSPC", [INJECT_SIGNAL] = "signal"};

static bool try_once(const struct command *c, int kind, unsigned long n, bool lasting, int signal,
                     const struct outcome *fine)
{
    struct outcome o = {0};
    run(c, kind, n, lasting, signal, false, &o);
    const char *wrong = judge(c, kind, signal, &o, fine);
    if (wrong) {
        printf("# weft %s: %s %d, n = %lu%s: %s%s%s (status %#x)\n", c->name, kind_names[kind], signal, n,
               lasting ? " and all that follow" : "", wrong, o.left[0] ? ": " : "", o.left, o.status);
        printf("#   %.*s\n", (int)strcspn(o.err_size ? o.err : "", "\n"), o.err_size ? o.err : "");
    }
    forget(&o);
    return !wrong;
}

static unsigned long next(unsigned long n, unsigned long most)
{
    unsigned long step = getenv("WEFT_TEST_ALL") || n < EACH_OF_FIRST ? 1 : (most + SAMPLE - 1) / SAMPLE;
    return n + (step ? step : 1);
}

static bool try_kind(const struct command *c, int kind, const struct outcome *fine)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct outcome o = {0};
    bool good = true;
    run(c, kind, 0, false, 0, false, &o);
    unsigned long most = inject->seen;
    forget(&o);
    for (unsigned long n = 1; n <= most && n < STRANGE; n = next(n, most)) {
        good &= try_once(c, kind, n, false, signals[n % 4], fine);
        if (kind == INJECT_MEMORY || kind == INJECT_SHORT)
            good &= try_once(c, kind, n, true, 0, fine);
    }
    return good;
}

/* Where nothing more fits on standard output. */
static bool try_full(const struct command *c, const struct outcome *fine)
{
    struct outcome o = {0};
    if (!fine->out_size)
        return true;
    run(c, INJECT_NOTHING, 0, false, 0, true, &o);
    bool good = WIFEXITED(o.status) && WEXITSTATUS(o.status) == 1 && mentions(&o, "<stdout>") &&
                mentions(&o, strerror(ENOSPC));
    if (!good)
        printf("# weft %s >/dev/full: status %#x, %.*s\n", c->name, o.status, (int)o.err_size, o.err);
    forget(&o);
    return good;
}

static bool try_command(const struct command *c)
{
    struct outcome fine = {0};
    run(c, INJECT_NOTHING, 0, false, 0, false, &fine);
    bool good = WIFEXITED(fine.status) && WEXITSTATUS(fine.status) <= 1;
    if (!good)
        printf("# weft %s: status %#x: %.*s\n", c->name, fine.status, (int)fine.err_size, fine.err);
    for (int kind = INJECT_MEMORY; kind < INJECT_KINDS && good; kind++)
        good &= try_kind(c, kind, &fine);
    good = good && try_full(c, &fine);
    forget(&fine);
    return good;
}

static void prepare(void)
{
    char path[120];
    if (!mkdtemp(outside))
        die(outside);
    snprintf(folder, sizeof folder, "%s/work", outside);
    snprintf(path, sizeof path, "%s/state", outside);
    if (mkdir(folder, 0700) != 0 || chdir(folder) != 0)
        die(folder);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        put(files[i].name, files[i].text, strlen(files[i].text));
    put("in.bin", "\1\0\2\0\3\0\4\0\5\0\6\0\7\0\x5a\0", 16);
    put("loop.bin", "\0\0\0\0", 2); /* bkpt */
    struct inject nothing = {0};
    put(path, (const char *)&nothing, sizeof nothing);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    inject = mmap(NULL, sizeof *inject, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (inject == MAP_FAILED)
        die(path);
}

static void clean(void)
{
    char command[120];
    if (chdir("/") == 0) {
        snprintf(command, sizeof command, "rm -r '%s'", outside);
        if (system(command) != 0)
            printf("# %s stays\n", outside);
    }
}

struct inject *inject;

int main(int argc, char **argv)
{
    const char *only = getenv("WEFT_TEST_ONLY");
    size_t count = 0;
    unsigned tried = 0;
    int bad = 0;
    if (argc != 4)
        return 2;
    weft = realpath(argv[1], NULL);
    preloaded = realpath(argv[2], NULL);
    source = realpath(argv[3], NULL);
    prepare();
    for (size_t i = 0; i < COMMANDS; i++) {
        if (only ? !strstr(commands[i].name, only) : !test_takes(test_slow_share(), &tried))
            continue;
        bool good = try_command(&commands[i]);
        bad += !good;
        printf("%s %zu - weft %s\n", good ? "ok" : "not ok", ++count, commands[i].name);
    }
    clean();
    printf("# %d commands, %lu times, %lu faults:", COMMANDS, times, faults);
    for (int k = INJECT_MEMORY; k < INJECT_KINDS; k++)
        printf(" %s %lu", kind_names[k], kinds_faults[k]);
    printf("\n1..%zu\n", count);
    return bad != 0;
}
