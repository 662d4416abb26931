/* peer.c - starts gl_peer with the environment that chooses the driver, and reads its answer. */
#include "peer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A peer that takes longer has failed; no shader of the gallery needs a tenth of it. */
enum { PEER_TIME_LIMIT = 120 };

/* One thread of rasterisation, no shaders from a disk cache, no window system. */
static void set_environment(const char *driver)
{
    setenv("EGL_PLATFORM", "surfaceless", 1);
    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    setenv("GALLIUM_DRIVER", driver, 1);
    setenv("LP_NUM_THREADS", "0", 1);
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    setenv("mesa_glthread", "false", 1);
}

enum { MAX_ARGUMENTS = 24, MAX_NUMBER = 32 };

struct arguments {
    const char *word[MAX_ARGUMENTS];
    char size[MAX_NUMBER], seconds[MAX_NUMBER], fragments[MAX_NUMBER], mesh[MAX_NUMBER];
    int count;
};

static void add(struct arguments *a, const char *option, const char *value)
{
    a->word[a->count++] = option;
    if (value)
        a->word[a->count++] = value;
}

static void make_arguments(const struct peer_job *job, struct arguments *a)
{
    snprintf(a->size, MAX_NUMBER, "%ux%u", job->width, job->height);
    snprintf(a->seconds, MAX_NUMBER, "%.3f", job->seconds);
    add(a, job->program, NULL);
    add(a, "--seconds", a->seconds);
    if (job->dump)
        add(a, "--dump", job->dump);
    if (job->workload) {
        add(a, "--workload", job->workload);
        return;
    }
    add(a, "--size", a->size);
    if (job->is_float)
        add(a, "--float", NULL);
    snprintf(a->fragments, MAX_NUMBER, "%" PRIu64, job->fragments);
    add(a, "--fragments", a->fragments);
    if (job->example->vertex[0]) {
        add(a, "--vertex", job->example->vertex);
        snprintf(a->mesh, MAX_NUMBER, "%d", (int)job->example->args.params.mesh);
        add(a, "--mesh", a->mesh);
    }
    if (job->example->texture[0]) {
        add(a, "--texture", job->example->texture);
        if (!job->example->mipmap)
            add(a, "--linear", NULL);
    }
    add(a, job->example->shader, NULL);
}

static _Noreturn void become_peer(const struct peer_job *job, int out)
{
    struct arguments a = {.count = 0};
    make_arguments(job, &a);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    set_environment(job->driver);
    alarm(PEER_TIME_LIMIT);
    execv(job->program, (char *const *)a.word);
    _exit(127);
}

/* Everything the process says, up to size - 1 bytes. */
static void read_all(int fd, char *text, size_t size)
{
    size_t n = 0;
    char rest[256];
    for (;;) {
        bool room = n + 1 < size;
        ssize_t got = room ? read(fd, text + n, size - 1 - n) : read(fd, rest, sizeof rest);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        if (room)
            n += (size_t)got;
    }
    text[n] = '\0';
}

static void first_line(const char *text, char *line, size_t size)
{
    snprintf(line, size, "%.*s", (int)strcspn(text, "\n"), text);
}

double measure_peer(const struct peer_job *job, char *why, size_t size)
{
    int ends[2];
    if (access(job->program, X_OK) != 0) {
        snprintf(why, size, "gl_peer was not built: it needs EGL and OpenGL ES development files");
        return -1;
    }
    if (pipe2(ends, O_CLOEXEC) != 0) {
        snprintf(why, size, "no pipe: %s", strerror(errno));
        return -1;
    }
    pid_t pid = fork();
    if (pid == 0)
        become_peer(job, ends[1]);
    close(ends[1]);
    char answer[1024];
    read_all(ends[0], answer, sizeof answer);
    close(ends[0]);
    int status = -1;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        first_line(answer[0] ? answer : "it ended without a result", why, size);
        return -1;
    }
    const char *renderer = strstr(answer, "renderer="), *rate = strstr(answer, " rate=");
    if (!renderer || !rate || strncmp(renderer + 9, job->driver, strlen(job->driver)) != 0) {
        first_line(renderer ? renderer : answer, why, size);
        return -1;
    }
    const char *note = strstr(answer, "note=");
    first_line(note ? note + 5 : "", why, size);
    return strtod(rate + 6, NULL);
}
