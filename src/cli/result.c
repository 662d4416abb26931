/* result.c - see result.h. */
#include "cli/result.h"
#include "base/text_stream.h"

#include <stdlib.h>
#include <string.h>

int result_worse(int a, int b)
{
    static const int rank[] = {[STATUS_FINE] = 0, [STATUS_EXPECTATION] = 1, [STATUS_INPUT] = 2, [STATUS_USAGE] = 3};
    return rank[a] >= rank[b] ? a : b;
}

bool result_append(struct result_text *text, const char *data, size_t size)
{
    /* Room grows in powers of two, which the size alone tells. */
    size_t room = 64;
    while (room < text->size)
        room *= 2;
    if (!text->data || text->size + size > room) {
        while (room < text->size + size)
            room *= 2;
        char *larger = realloc(text->data, room);
        if (!larger)
            return false;
        text->data = larger;
    }
    if (size)
        memcpy(text->data + text->size, data, size);
    text->size += size;
    return true;
}

void result_write(const struct result_text *text, FILE *out)
{
    if (text->size)
        fwrite(text->data, 1, text->size, out);
}

bool result_join(struct list_result *total, const struct list_result *part)
{
    total->status = result_worse(total->status, part->status);
    total->stopped |= part->stopped;
    total->seconds += part->seconds;
    for (int i = 0; i < RESULT_COUNTS; i++)
        total->counts[i] += part->counts[i];
    return result_append(&total->data, part->data.data, part->data.size);
}

void result_free(struct list_result *r)
{
    free(r->out.data);
    free(r->err.data);
    free(r->data.data);
    *r = (struct list_result){0};
}

/* ---- streams ---- */

bool result_open(struct list_result *r, struct result_streams *s)
{
    *r = (struct list_result){0};
    *s = (struct result_streams){text_stream(&r->out.data, &r->out.size), text_stream(&r->err.data, &r->err.size),
                                 text_stream(&r->data.data, &r->data.size)};
    return (s->out && s->err && s->data) || result_close(r, s);
}

bool result_close(struct list_result *r, struct result_streams *s)
{
    bool out = text_stream_close(s->out), err = text_stream_close(s->err), data = text_stream_close(s->data);
    if (out && err && data)
        return true;
    result_free(r);
    r->status = STATUS_INPUT;
    r->stopped = true;
    return false;
}

/* ---- bytes ---- */

/* The fixed part of a record; the three texts follow it. */
struct record_head {
    uint64_t first, count;
    uint64_t counts[RESULT_COUNTS];
    uint64_t out, err, data; /* sizes */
    double seconds;
    uint32_t status, stopped;
};

bool result_pack(const struct result_record *record, struct result_text *out)
{
    const struct list_result *r = &record->result;
    struct record_head h = {.first = record->first,
                            .count = record->count,
                            .out = r->out.size,
                            .err = r->err.size,
                            .data = r->data.size,
                            .seconds = r->seconds,
                            .status = (uint32_t)r->status,
                            .stopped = r->stopped};
    memcpy(h.counts, r->counts, sizeof h.counts);
    return result_append(out, (const char *)&h, sizeof h) && result_append(out, r->out.data, r->out.size) &&
           result_append(out, r->err.data, r->err.size) && result_append(out, r->data.data, r->data.size);
}

bool result_unpack(const char *bytes, size_t size, struct result_record *out)
{
    struct record_head h;
    *out = (struct result_record){0};
    if (size < sizeof h)
        return false;
    memcpy(&h, bytes, sizeof h);
    size_t left = size - sizeof h;
    if (h.status > STATUS_EXPECTATION || h.out > left || h.err > left - h.out || h.data != left - h.out - h.err)
        return false;
    const char *text = bytes + sizeof h;
    struct list_result *r = &out->result;
    out->first = h.first;
    out->count = h.count;
    r->status = (int)h.status;
    r->stopped = h.stopped != 0;
    r->seconds = h.seconds;
    memcpy(r->counts, h.counts, sizeof h.counts);
    if (result_append(&r->out, text, h.out) && result_append(&r->err, text + h.out, h.err) &&
        result_append(&r->data, text + h.out + h.err, h.data))
        return true;
    result_free(r);
    return false;
}
