/* load.c - from the command line's words to a program. */
#include "cli/cli.h"

#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

static bool find_stage(const char *name, weft_stage *stage)
{
    for (int i = 0; i < WEFT_STAGES; i++)
        if (strcmp(weft_stage_name((weft_stage)i), name) == 0) {
            *stage = (weft_stage)i;
            return true;
        }
    return false;
}

const char *cli_target_option(int key)
{
    return key == 'i'          ? "-i"
           : key == 'm'        ? "-m"
           : key == 's'        ? "-s"
           : key == 'D'        ? "-D"
           : key == 'I'        ? "-I"
           : key == CLI_COMMON ? "--common"
           : key == CLI_PACK   ? "--pack"
                               : "--entry";
}

bool cli_take_target(struct cli_target *t, const struct cli_args *a, int key)
{
    const char *words[16];
    char hint[120], list[120] = "";
    size_t n = 0, length = 0;
    switch (key) {
    case 'i':
        t->isa = a->value;
        if (weft_isa_find(a->value))
            return true;
        for (; n < weft_isa_count() && n < 14; n++) {
            words[n] = weft_isa_name(weft_isa_get(n));
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", n ? ", " : "", words[n]);
        }
        words[n++] = "glsl";
        words[n++] = "hlsl";
        if (*cli_nearest(a->value, words, n, hint, sizeof hint))
            cli_wrong(a->command, "unknown instruction set '%s'%s", a->value, hint);
        else
            cli_wrong(a->command, "unknown instruction set '%s'; there are %s, glsl and hlsl", a->value, list);
        return false;
    case 'm':
        t->chip = a->value;
        return true;
    case 's':
        if (find_stage(a->value, &t->stage))
            return true;
        for (; n < WEFT_STAGES; n++)
            words[n] = weft_stage_name((weft_stage)n);
        cli_wrong(a->command,
                  "unknown stage '%s'%s; stages are vertex, tess-control, tess-evaluation, geometry, fragment, compute",
                  a->value, cli_nearest(a->value, words, n, hint, sizeof hint));
        return false;
    case 'D':
        if (t->ndefines < CLI_MOST_MACROS) {
            t->define[t->ndefines++] = a->value;
            return true;
        }
        cli_wrong(a->command, "there are at most %d of -D", CLI_MOST_MACROS);
        return false;
    case 'I':
        if (t->nfolders < CLI_MOST_FOLDERS) {
            t->folder[t->nfolders++] = a->value;
            return true;
        }
        cli_wrong(a->command, "there are at most %d of -I", CLI_MOST_FOLDERS);
        return false;
    case CLI_COMMON:
        if (t->ncommon < CLI_MOST_FOLDERS) {
            t->common[t->ncommon++] = a->value;
            return true;
        }
        cli_wrong(a->command, "there are at most %d of --common", CLI_MOST_FOLDERS);
        return false;
    case CLI_PACK:
        t->pack = true;
        return true;
    case CLI_ENTRY:
        t->entry = a->value;
        return true;
    default:
        return false;
    }
}

weft_program_options cli_options(const struct cli_target *t)
{
    return (weft_program_options){.size = sizeof(weft_program_options),
                                  .chip = t->chip,
                                  .stage = t->stage,
                                  .strict = t->strict,
                                  .pack = t->pack,
                                  .entry = t->entry,
                                  .defines = t->define,
                                  .ndefines = t->ndefines,
                                  .includes = true,
                                  .folders = t->folder,
                                  .nfolders = t->nfolders,
                                  .common = t->common,
                                  .ncommon = t->ncommon};
}

const weft_isa *cli_isa(const struct cli_target *t, const struct cli_command *command, const char *path)
{
    return cli_isa_to(stderr, t, command, path);
}

bool cli_is_job(const char *path)
{
    static const char *const endings[] = {".amber", ".vkscript", ".shader_test", ".vk_shader_test"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (cli_ends(path, endings[i]))
            return true;
    return false;
}

const weft_isa *cli_isa_to(FILE *to, const struct cli_target *t, const struct cli_command *command, const char *path)
{
    uint32_t program;
    size_t length = cli_path_length(path, &program);
    char *file = path ? cli_kept(strndup(path, length)) : NULL;
    const weft_isa *isa = t->isa ? weft_isa_find(t->isa) : weft_isa_of_file(file);
    free(file);
    if (!isa && path && cli_is_job(path))
        cli_wrong_to(to, command, "'%s' is a job, and those are for 'weft run'", path);
    else if (!isa && (!path || strcmp(path, "-") == 0))
        cli_wrong_to(to, command, "which program? Give a file, or -i ISA for what is on standard input");
    else if (!isa)
        cli_wrong_to(to, command, "which instruction set is '%s' of? Its extension does not say: give -i ISA", path);
    return isa;
}

enum { BYTES_LOOKED_AT = 4096 };

static bool is_control(char c)
{
    return (unsigned char)c < ' ' && !(c >= '\t' && c <= '\r');
}

/* Text has no control characters but white space; the binary form of every instruction set has some early on.
 * Returns the first; NULL: this is text. */
static const char *find_control(const struct cli_bytes *in)
{
    size_t look = in->size < BYTES_LOOKED_AT ? in->size : BYTES_LOOKED_AT;
    for (size_t i = 0; i < look; i++)
        if (is_control(in->data[i]))
            return in->data + i;
    return NULL;
}

bool cli_is_text(const struct cli_bytes *in)
{
    return !find_control(in);
}

/* A text with a control character in it is taken for bytes, which its author does not expect: say why. Real bytes
 * have few that text has too. Bytes that are a program get a warning only if the file is nearly all text. */
static void explain_bytes(const struct cli_bytes *in, const char *control, bool wrong, weft_diags *diags)
{
    size_t look = in->size < BYTES_LOOKED_AT ? in->size : BYTES_LOOKED_AT, good = 0;
    for (size_t i = 0; i < look; i++)
        good += !is_control(in->data[i]) && (unsigned char)in->data[i] < 0x7f;
    if (good < look - look / (wrong ? 4 : 16))
        return;
    struct source src = {in->name, in->data, in->size};
    struct span where = {(uint32_t)(control - in->data), 1};
    diag_at(diags, wrong ? WEFT_NOTE : WEFT_WARNING, "taken-for-bytes", &src, where,
            "if the file is text, remove this byte",
            "the file was taken for bytes, not for text, because of the byte 0x%02x at offset %u",
            (unsigned char)*control, where.offset);
}

uint32_t cli_programs(const weft_isa *isa, const struct cli_bytes *in)
{
    if (in->program || find_control(in))
        return 1;
    return weft_program_count(weft_isa_name(isa), in->data, in->size);
}

weft_status cli_program(const struct cli_target *t, const weft_isa *isa, const struct cli_bytes *in,
                        const struct cli_bytes *linkage, weft_diags *diags, weft_program **out)
{
    weft_program_options options = cli_options(t);
    const char *name = t->isa ? t->isa : weft_isa_name(isa); /* of a language, perhaps */
    options.program = in->program ? in->program - 1 : 0;
    if (linkage) {
        options.linkage = linkage->data;
        options.linkage_size = linkage->size;
        options.linkage_name = linkage->name;
    }
    const char *control = find_control(in);
    if (!control)
        return weft_program_from_text(name, in->name, in->data, in->size, &options, diags, out);
    weft_status status =
        weft_program_from_bytes(name, in->name, (const uint8_t *)in->data, in->size, &options, diags, out);
    if (status == WEFT_OK || status == WEFT_ERROR_INPUT)
        explain_bytes(in, control, status != WEFT_OK, diags);
    return status;
}
