/* A job that several processes do together (weft/job.h, weft_job_share), each of which is a thread here: all of them
 * have the bytes, counts and messages of one that does it alone. Sizes are odd, so that parts are not equal. */
#include "test.h"

#include <pthread.h>
#include <stdbool.h>

#include <weft/weft.h>

enum { MOST = 7, BUFFERS = 5 };

static const char *const names[BUFFERS] = {"numbers", "few", "red", "green", "depth"};

/* %u workgroups write 4096 words, of which every third one stays what it was, and one in a buffer of five. A rectangle
 * is drawn to two targets, and a smaller one. */
static const char script[] =
    "#!amber\n"
    "SHADER compute cs TGSI\nCOMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\n"
    "DCL BUFFER[0..1]\nDCL TEMP[0..3]\nIMM[0] UINT32 {64, 4, 3, 7}\nIMM[1] UINT32 {2654435761, 5, 12, 0}\n"
    "UMAD TEMP[0].x, SV[0].xxxx, IMM[0].xxxx, SV[1].xxxx\n" /* neighbours are of different workgroups */
    "UMUL TEMP[1].x, TEMP[0].xxxx, IMM[0].yyyy\n"
    "UMOD TEMP[2].x, TEMP[0].xxxx, IMM[0].zzzz\n"
    "UMUL TEMP[2].y, TEMP[0].xxxx, IMM[1].xxxx\n"
    "UADD TEMP[2].z, TEMP[0].xxxx, IMM[0].wwww\n"
    "UCMP TEMP[3].x, TEMP[2].xxxx, TEMP[2].yyyy, TEMP[2].zzzz\n"
    "STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[3].xxxx\n"
    "USEQ TEMP[2].x, TEMP[0].xxxx, IMM[1].yyyy\n"
    "UIF TEMP[2].xxxx\nSTORE BUFFER[1].x, IMM[1].zzzz, TEMP[2].yyyy\nENDIF\n"
    "END\nEND\n"
    "SHADER vertex vs PASSTHROUGH\n"
    "SHADER fragment fs TGSI\nFRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL TEMP[0]\n"
    "IMM[0] FLT32 {0.01, 0.0, 1.0, 0.5}\nMUL TEMP[0].xy, IN[0].xyyy, IMM[0].xxxx\nMOV TEMP[0].zw, IMM[0].zzzz\n"
    "MOV OUT[0], TEMP[0]\nMOV OUT[1], TEMP[0].yxwz\nEND\nEND\n"
    "BUFFER numbers DATA_TYPE uint32 SIZE 4103 SERIES_FROM 7 INC_BY 1\n"
    "BUFFER few DATA_TYPE uint32 SIZE 5 FILL 9\n"
    "BUFFER red FORMAT R8G8B8A8_UNORM\nBUFFER green FORMAT B8G8R8A8_UNORM\nBUFFER depth FORMAT D32_SFLOAT\n"
    "PIPELINE compute p\nATTACH cs\nBIND BUFFER numbers AS storage DESCRIPTOR_SET 2 BINDING 0\n"
    "BIND BUFFER few AS storage DESCRIPTOR_SET 2 BINDING 1\nEND\n"
    "PIPELINE graphics g\nATTACH vs\nATTACH fs\nFRAMEBUFFER_SIZE 101 83\nBIND BUFFER red AS color LOCATION 0\n"
    "BIND BUFFER green AS color LOCATION 1\nBIND BUFFER depth AS depth_stencil\nEND\n"
    "CLEAR_COLOR g 255 0 0 255\nCLEAR g\n"
    "RUN p %u 1 1\n"
    "RUN g DRAW_RECT POS 3 5 SIZE 97 71\n"
    "RUN g DRAW_RECT POS 90 2 SIZE 9 9\n"
    "%s";

struct side {
    unsigned index, leaves; /* at which exchange some other has left; 0: none does */
    unsigned exchanges;
    struct group *group;
    pthread_t thread;
    /* what it has in the end */
    weft_status status;
    weft_job_stats stats;
    uint64_t divided, whole;
    uint8_t *bytes[BUFFERS];
    size_t size[BUFFERS];
    char message[300];
};

struct group {
    const char *text;
    unsigned count;
    pthread_barrier_t all;
    const void *bytes[MOST];
    size_t size[MOST];
    size_t less; /* what is not told of what side 1 says */
    struct side side[MOST];
};

static int exchange(void *context, const void *bytes, size_t size,
                    void (*take)(void *to, uint32_t process, const void *bytes, size_t size), void *to)
{
    struct side *s = context;
    struct group *g = s->group;
    if (++s->exchanges == s->leaves || (g->less && s->exchanges > 1)) /* who lost its memory stops */
        return 0;
    g->bytes[s->index] = bytes;
    g->size[s->index] = s->index == 1 ? size - g->less : size;
    pthread_barrier_wait(&g->all);
    for (unsigned i = 0; i < g->count; i++)
        if (i != s->index)
            take(to, i, g->bytes[i], g->size[i]);
    pthread_barrier_wait(&g->all);
    return 1;
}

static void *run(void *argument)
{
    struct side *s = argument;
    weft_job_share share = {.index = s->index, .count = s->group->count, .exchange = exchange, .context = s};
    weft_job_params params;
    weft_job *job = NULL;
    weft_diags *diags = weft_diags_new();
    weft_job_params_init(&params);
    params.threads = 1;
    params.engine = WEFT_ENGINE_INTERP;
    params.budget = 1000;
    params.share = s->group->count ? &share : NULL;
    s->status = weft_job_new("a.amber", s->group->text, strlen(s->group->text), diags, &job);
    if (s->status == WEFT_OK) {
        s->status = weft_job_run(job, &params, diags);
        weft_job_get_stats(job, &s->stats);
        for (unsigned i = 0; i < BUFFERS; i++)
            weft_job_dump(job, names[i], WEFT_DUMP_RAW, &s->bytes[i], &s->size[i], NULL);
    }
    s->divided = share.divided;
    s->whole = share.whole;
    if (weft_diags_count(diags))
        snprintf(s->message, sizeof s->message, "%zu: %s", weft_diags_count(diags),
                 weft_diags_get(diags, 0)->message);
    weft_job_free(job);
    weft_diags_free(diags);
    return NULL;
}

static void free_sides(struct group *g)
{
    for (unsigned i = 0; i < MOST; i++)
        for (unsigned b = 0; b < BUFFERS; b++)
            weft_free(g->side[i].bytes[b]);
}

/* Of `count` sides; 0: of one without the others. */
static struct group *run_all(const char *text, unsigned count, unsigned leaves, size_t less)
{
    struct group *g = calloc(1, sizeof *g);
    assert_non_null(g);
    g->text = text;
    g->count = count;
    g->less = less;
    pthread_barrier_init(&g->all, NULL, count ? count : 1);
    for (unsigned i = 0; i < (count ? count : 1); i++) {
        g->side[i].index = i;
        g->side[i].leaves = leaves;
        g->side[i].group = g;
        assert_int_equal(pthread_create(&g->side[i].thread, NULL, run, &g->side[i]), 0);
    }
    for (unsigned i = 0; i < (count ? count : 1); i++)
        pthread_join(g->side[i].thread, NULL);
    pthread_barrier_destroy(&g->all);
    return g;
}

/* All sides have what one has that does it alone; so many draws and dispatches were divided. */
static void assert_same(const char *text, unsigned count, unsigned leaves, uint64_t divided, uint64_t whole)
{
    struct group *alone = run_all(text, 0, 0, 0), *all = run_all(text, count, leaves, 0);
    const struct side *one = &alone->side[0];
    for (unsigned i = 0; i < count; i++) {
        const struct side *s = &all->side[i];
        assert_int_equal(s->status, one->status);
        assert_string_equal(s->message, one->message);
        assert_int_equal(s->divided, divided);
        assert_int_equal(s->whole, whole);
        assert_int_equal(s->stats.invocations, one->stats.invocations);
        assert_int_equal(s->stats.fragments, one->stats.fragments);
        assert_int_equal(s->stats.vertices, one->stats.vertices);
        assert_int_equal(s->stats.instructions, one->stats.instructions);
        for (unsigned b = 0; b < BUFFERS; b++) {
            assert_int_equal(s->size[b], one->size[b]);
            assert_memory_equal(s->bytes[b], one->bytes[b], one->size[b]);
        }
    }
    free_sides(alone);
    free_sides(all);
    free(alone);
    free(all);
}

static void parts_are_put_together(void **state)
{
    (void)state;
    char text[8000];
    /* 64 workgroups and 4 tiles: the small rectangle is of less than 4096 fragments at most, and two sides at least */
    snprintf(text, sizeof text, script, 64, "");
    for (unsigned count = 2; count <= 4; count++)
        assert_same(text, count, 0, 3, 0);
    for (unsigned count = 5; count <= MOST; count += 2) /* more than there are tiles */
        assert_same(text, count, 0, 1, 2);
    assert_same(text, 1, 0, 0, 3);
    snprintf(text, sizeof text, script, 63, ""); /* less than 4096 invocations */
    assert_same(text, 2, 0, 2, 1);
}

static void all_do_the_whole(void **state)
{
    (void)state;
    char text[8000];
    snprintf(text, sizeof text, script, 64, "RUN p 72 1 1\n"); /* the last word is beyond the buffer: a warning */
    assert_same(text, 3, 0, 3, 1);
    snprintf(text, sizeof text, script, 64, "");
    for (unsigned leaves = 1; leaves <= 3; leaves++) /* after that each is by itself, and nothing is counted */
        assert_same(text, 3, leaves, leaves - 1, 1);
}

/* A dispatch is not divided where one part could see what another leaves, nor where it has atomics. */
static void what_parts_could_tell_of_each_other(void **state)
{
    static const struct {
        const char *ops;
        uint64_t divided;
    } cases[] = {
        {"STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[0].xxxx\n", 1},
        {"LOAD TEMP[1].x, BUFFER[0], TEMP[0].yyyy\nUADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\n"
         "STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx\n", 0},
        {"ATOMUADD TEMP[1].x, BUFFER[0], TEMP[0].zzzz, IMM[0].yyyy\n", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "#!amber\nSHADER compute cs TGSI\nCOMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nDCL SV[0], THREAD_ID\n"
                 "DCL SV[1], BLOCK_ID\nDCL BUFFER[0]\nDCL TEMP[0..1]\nIMM[0] UINT32 {256, 4, 0, 0}\n"
                 "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\nUMAD TEMP[0].x, SV[1].xxxx, IMM[0].xxxx, TEMP[0].xxxx\n"
                 "UADD TEMP[0].y, TEMP[0].xxxx, -IMM[0].yyyy\nMOV TEMP[0].z, IMM[0].zzzz\n%sEND\nEND\n"
                 "BUFFER numbers DATA_TYPE uint32 SIZE 4096 FILL 1\nPIPELINE compute p\nATTACH cs\n"
                 "BIND BUFFER numbers AS storage DESCRIPTOR_SET 2 BINDING 0\nEND\nRUN p 64 1 1\n",
                 cases[i].ops);
        assert_same(text, 2, 0, cases[i].divided, 1 - cases[i].divided);
    }
}

/* What another says is read with care: what ends early is not put into memory. */
static void parts_that_end_early(void **state)
{
    (void)state;
    char text[8000];
    snprintf(text, sizeof text, script, 64, "");
    for (size_t less = 1; less <= 100; less += 33) {
        struct group *g = run_all(text, 2, 0, less);
        assert_int_equal(g->side[0].status, WEFT_ERROR_MEMORY);
        free_sides(g);
        free(g);
    }
}

TEST_MAIN(TEST(parts_are_put_together), TEST(all_do_the_whole), TEST(what_parts_could_tell_of_each_other),
          TEST(parts_that_end_early))
