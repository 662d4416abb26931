/* text_stream.h - a stream that fills a text in memory. As open_memstream, whose streams lose what there is no memory
 * for and do not tell: here ferror and text_stream_close do. */
#ifndef WEFT_BASE_TEXT_STREAM_H
#define WEFT_BASE_TEXT_STREAM_H

#include <stdbool.h>
#include <stdio.h>

/* *text (to be freed, terminated) and *size are set when the stream is flushed or closed. NULL without memory. */
FILE *text_stream(char **text, size_t *size);

/* False: there was no memory for all of it. NULL is fine, and false. */
bool text_stream_close(FILE *stream);

#endif
