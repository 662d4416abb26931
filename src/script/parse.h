/* parse.h - what the parts of the AmberScript parser share. */
#ifndef WEFT_SCRIPT_PARSE_H
#define WEFT_SCRIPT_PARSE_H

#include "script/script.h"

/* ---- lex.c: words and lines ---- */

enum token_kind { TOKEN_WORD, TOKEN_STRING, TOKEN_LINE_END, TOKEN_END };

struct token {
    enum token_kind kind;
    const char *text; /* of a string: without its quotes */
    size_t length;
    struct span where;
};

/* A list that grows in the arena. */
struct list_size {
    size_t count, cap;
};

struct parser {
    const struct source *src;
    struct arena *arena;
    weft_diags *diags;
    struct script *script;
    const char *p, *end; /* what comes after `token` */
    struct token token;  /* the next one */
    struct span last;    /* the one before */
    uint32_t errors;
    uint32_t wrong_at; /* offset of the last error, plus 1: what does not fit there either follows from that one */
    uint32_t depth, turns; /* of REPEAT: how many are around, and how often they turn together (0: 1) */
    uint32_t parts; /* see SCRIPT_MAX_PARTS */
    bool vkscript;  /* the older language, vkscript.c */
    struct list_size requirements, files, shaders, structs, buffers, samplers, pipelines, refusals;
    const char **unrun; /* names of pipelines that are refused as a whole */
    struct list_size unruns;
};

void lex_begin(struct parser *ps);
/* Take the token; returns it. */
struct token lex_next(struct parser *ps);
/* The rest of the current line, from the next token on; the line's end is the next token. */
void lex_skip_line(struct parser *ps);
/* Skip line ends: the next token is a word or the end of the text. */
void lex_skip_line_ends(struct parser *ps);
/* A line as it is. */
struct raw_line {
    const char *text; /* without blanks at either end, comments included */
    size_t length;
    const char *start; /* of the line */
};
/* Read the line at *at and step over it; false at the end of the text. */
bool lex_raw_line(const struct parser *ps, const char **at, struct raw_line *line);
/* Go on with the words from there. */
void lex_resume(struct parser *ps, const char *at);

/* Errors return false, so that a caller can `return parse_error(...)`. */
bool parse_error(struct parser *ps, struct span where, const char *code, const char *hint, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* "expected WHAT, found ...". */
bool parse_expected(struct parser *ps, const char *what);
/* The same with a hint by near miss among words. */
bool parse_expected_word(struct parser *ps, const char *what, const char *const *words, size_t count);

bool token_is(const struct token *t, const char *word);
bool next_is(const struct parser *ps, const char *word);
/* Take the word if it is the next one. */
bool take_word(struct parser *ps, const char *word);
bool expect(struct parser *ps, const char *word);
bool at_line_end(const struct parser *ps);
bool expect_line_end(struct parser *ps, const char *after);

/* A name: a word that is not a number. */
bool expect_name(struct parser *ps, const char *what, const char **name, struct span *where);
/* A path: a word or a string. */
bool expect_path(struct parser *ps, const char *what, const char **path);
/* One of a list of words; its index. */
bool expect_choice(struct parser *ps, const char *what, const char *const *words, size_t count, unsigned *index);
#define EXPECT_CHOICE(ps, what, words, index)                                                                          \
    expect_choice((ps), (what), (words), sizeof(words) / sizeof(words)[0], (index))
bool expect_switch(struct parser *ps, bool *value); /* on, off */

bool token_number(const struct token *t, struct script_number *n);
bool next_is_number(const struct parser *ps);
bool expect_number(struct parser *ps, const char *what, struct script_number *n);
/* Does the type have the number? False, having said so, if not. parse_buffer.c */
bool number_fits(struct parser *ps, struct span where, enum script_scalar s, const struct script_number *n);
bool expect_real(struct parser *ps, const char *what, float *value);
bool expect_integer(struct parser *ps, const char *what, uint64_t max, uint64_t *value);
bool expect_u32(struct parser *ps, const char *what, uint32_t max, uint32_t *value);

char *token_copy(struct parser *ps, const struct token *t);
/* Room for one more element; the list as it was, with its count, where there is no memory. LIST_ADD: is there room? */
void *list_add(struct parser *ps, void *list, struct list_size *size, size_t element);
#define LIST_ADD(ps, list, size)                                                                                       \
    ((list) = list_add((ps), (list), (size), sizeof *(list)), !arena_failed((ps)->arena))

/* Count a declaration or statement; false, and the parser at the end of the text, past the limit: looking names up is
 * linear. */
bool count_part(struct parser *ps);

void refuse(struct parser *ps, struct span where, const struct script_shader *shader,
            const struct script_pipeline *pipeline, const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* Skip a block whose commands are not known: to the END that ends it, counting the words that open blocks of their own.
 */
bool skip_block(struct parser *ps, const char *what, struct span opened, const char *const *openers, size_t count);

extern const char *const compare_words[8];
extern const char *const top_words[];
extern const size_t ntop_words;

/* ---- commands; each begins after its first word ---- */

bool parse_virtual_file(struct parser *ps); /* parse_shader.c */
bool parse_shader(struct parser *ps);
bool parse_requirement(struct parser *ps, enum script_requirement_kind kind); /* parse_require.c */
/* A stage by its name in the language; WEFT_STAGE_NONE for those that weft has not. */
bool expect_stage(struct parser *ps, const char **name, weft_stage *stage);
bool parse_struct(struct parser *ps); /* parse_type.c */
bool parse_type(struct parser *ps, const char *what, struct script_type *type);
const struct script_format *type_format(struct parser *ps, const struct script_type *type);
bool expect_format(struct parser *ps, const struct script_format **format);
bool parse_buffer(struct parser *ps); /* parse_buffer.c */
bool parse_image(struct parser *ps);
bool parse_sampler(struct parser *ps);
bool parse_pipeline(struct parser *ps, bool derive); /* parse_pipeline.c */
void pipeline_defaults(struct script_pipeline *p);
bool parse_bind(struct parser *ps, struct script_pipeline *p, struct list_size *size,
                uint32_t inherited); /* parse_bind.c */
bool parse_vertex_data(struct parser *ps, struct script_pipeline *p, struct list_size *size, uint32_t inherited);
bool parse_depth(struct parser *ps, struct script_pipeline *p); /* parse_state.c */
bool parse_stencil(struct parser *ps, struct script_pipeline *p);
bool parse_blend(struct parser *ps, struct script_pipeline *p);
bool parse_viewport(struct parser *ps, struct script_pipeline *p);
/* parse_command.c: a command that may be in REPEAT; *known tells whether it was one. */
bool parse_command(struct parser *ps, struct script_command **list, struct list_size *size, bool *known);
void check_commands(struct parser *ps, const struct script_command *commands, uint32_t count);
bool parse_expect(struct parser *ps, struct script_command *c); /* parse_expect.c */
void check_expect(struct parser *ps, const struct script_command *c);

/* vkscript.c: a script of [sections], from its first token on. */
void parse_vkscript(struct parser *ps);
/* A feature by its name, with whether weft has it; NULL: none of that name. parse_require.c */
const char *known_feature(const char *name, size_t length, bool *has);
bool add_extension(struct parser *ps, enum script_requirement_kind kind);
bool add_requirement(struct parser *ps, const struct script_requirement *r);

const struct script_buffer *expect_buffer(struct parser *ps, const char *what);
const struct script_sampler *expect_sampler(struct parser *ps, const char *what);
const struct script_shader *expect_shader(struct parser *ps, const char *what);
/* NULL without an error: a pipeline that is refused as a whole. */
bool expect_pipeline(struct parser *ps, const char *what, const struct script_pipeline **pipeline);
bool name_taken(struct parser *ps, const char *name, struct span where);

#endif
