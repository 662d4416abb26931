/* link.c - texts, messages and words through a socket (link.h). */
#include "isa/spirv/tools/link.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* Lengths of more than this are not believed. */
#define MOST_BYTES    (UINT64_C(1) << 32)
#define MOST_MESSAGES (UINT64_C(1) << 20)
#define MOST_FLAGS    (UINT64_C(1) << 20)

void link_put(struct link *l, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size && !l->broken) {
        ssize_t n = send(l->file, at, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        l->broken = n <= 0;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
}

void link_get(struct link *l, void *bytes, size_t size)
{
    char *at = bytes;
    while (size && !l->broken) {
        ssize_t n = recv(l->file, at, size, 0);
        if (n < 0 && errno == EINTR)
            continue;
        l->broken = n <= 0;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    if (size)
        memset(at, 0, size);
}

void link_put_text(struct link *l, const char *text, size_t size)
{
    uint64_t length = text ? size : UINT64_MAX;
    link_put(l, &length, sizeof length);
    if (text)
        link_put(l, text, size);
}

/* Memory for what is read next. */
static void *room_for(struct link *l, struct spirv_result *r, uint64_t count, size_t element)
{
    void *p = NULL;
    if (count >= MOST_BYTES / element)
        l->broken = true;
    else if (!l->broken)
        p = tools_alloc(r, ((size_t)count + 1) * element);
    l->broken |= !p;
    return p;
}

const char *link_get_text(struct link *l, struct spirv_result *r, size_t *size)
{
    uint64_t length = 0;
    link_get(l, &length, sizeof length);
    *size = 0;
    if (l->broken || length == UINT64_MAX)
        return NULL;
    char *text = room_for(l, r, length, 1);
    if (!text)
        return NULL;
    link_get(l, text, (size_t)length);
    *size = (size_t)length;
    return text;
}

void link_put_name(struct link *l, const char *name)
{
    link_put_text(l, name, name ? strlen(name) : 0);
}

const char *link_get_name(struct link *l, struct spirv_result *r)
{
    size_t size;
    return link_get_text(l, r, &size);
}

static void put_source(struct link *l, const struct spirv_source *s)
{
    link_put(l, s, sizeof *s);
    link_put_name(l, s->text.name);
    link_put_text(l, s->text.text, s->text.size);
    link_put_name(l, s->env);
    link_put_name(l, s->entry);
    link_put_name(l, s->preamble);
}

static void get_source(struct link *l, struct spirv_result *r, struct spirv_source *s)
{
    link_get(l, s, sizeof *s);
    s->text.name = link_get_name(l, r);
    s->text.text = link_get_text(l, r, &s->text.size);
    s->env = link_get_name(l, r);
    s->entry = link_get_name(l, r);
    s->preamble = link_get_name(l, r);
}

static void get_words(struct link *l, struct spirv_result *r, uint64_t count, struct spirv_words *out)
{
    uint32_t *word = room_for(l, r, count, sizeof *word);
    if (word)
        link_get(l, word, (size_t)count * sizeof *word);
    *out = (struct spirv_words){l->broken ? NULL : word, l->broken ? 0 : (size_t)count};
}

void link_put_task(struct link *l, const struct tools_task *task)
{
    uint64_t counts[3] = {task->source != NULL, task->words.count, task->nflags};
    link_put(l, counts, sizeof counts);
    if (task->source) {
        put_source(l, task->source);
        return;
    }
    link_put(l, task->words.word, task->words.count * sizeof *task->words.word);
    link_put_name(l, task->env);
    for (size_t i = 0; i < task->nflags; i++)
        link_put_name(l, task->flags[i]);
}

void link_get_task(struct link *l, struct spirv_result *r, struct tools_task *task, struct spirv_source *s)
{
    uint64_t counts[3];
    *task = (struct tools_task){0};
    *s = (struct spirv_source){0};
    link_get(l, counts, sizeof counts);
    if (counts[0]) {
        get_source(l, r, s);
        task->source = s;
        return;
    }
    get_words(l, r, counts[1], &task->words);
    task->env = link_get_name(l, r);
    l->broken |= counts[2] > MOST_FLAGS;
    const char **flags = room_for(l, r, counts[2], sizeof *flags);
    for (uint64_t i = 0; flags && i < counts[2]; i++)
        flags[i] = link_get_name(l, r);
    task->flags = flags;
    task->nflags = (size_t)counts[2];
}

void link_put_result(struct link *l, weft_status status, const struct spirv_result *r)
{
    uint64_t counts[4] = {(uint64_t)status, r->no_memory, r->nmessages, r->words.count};
    link_put(l, counts, sizeof counts);
    for (size_t i = 0; i < r->nmessages; i++) {
        const struct spirv_message *m = &r->messages[i];
        link_put(l, m, sizeof *m);
        link_put_name(l, m->file);
        link_put_name(l, m->text);
    }
    link_put(l, r->words.word, r->words.count * sizeof *r->words.word);
}

weft_status link_get_result(struct link *l, struct spirv_result *r)
{
    uint64_t counts[4];
    link_get(l, counts, sizeof counts);
    l->broken |= counts[2] > MOST_MESSAGES;
    for (uint64_t i = 0; i < counts[2] && !l->broken; i++) {
        struct spirv_message m;
        link_get(l, &m, sizeof m);
        m.file = link_get_name(l, r);
        m.text = link_get_name(l, r);
        if (m.text)
            tools_say(r, m, m.text, strlen(m.text));
    }
    struct spirv_words words;
    get_words(l, r, counts[3], &words);
    if (l->broken)
        return WEFT_ERROR_INPUT;
    r->no_memory |= counts[1] != 0;
    r->words = words;
    return (weft_status)counts[0];
}
