/* chips.c - chips and what they have ("Chip variants"), program types, and what modules keep of their parameters. */
#include "ir/io.h"
#include "isa/tesla/template.h"

#include <string.h>

enum { SM11 = TESLA_SM11, SM12 = TESLA_SM11 | TESLA_SM12, GT21X = TESLA_SM11 | TESLA_SM12 | TESLA_D3D10_1 };

static const struct {
    const char *name;
    uint8_t features;
} chips[] = {
    {"mcp89", GT21X}, {"gt218", GT21X}, {"gt216", GT21X}, {"gt215", GT21X}, {"mcp79", SM12}, {"mcp77", SM12},
    {"g200", SM12 | TESLA_FP64}, {"g98", SM11}, {"g96", SM11}, {"g94", SM11}, {"g92", SM11}, {"g86", SM11},
    {"g84", SM11}, {"g80", 0},
};
enum { CHIPS = sizeof chips / sizeof chips[0] };

const char *const tesla_chips[] = {"mcp89", "gt218", "gt216", "gt215", "mcp79", "mcp77", "g200", "g98",
                                   "g96",   "g94",   "g92",   "g86",   "g84",   "g80",   NULL};

static const uint8_t stages[IR_STAGES] = {
    [IR_VERTEX] = TESLA_VP, [IR_GEOMETRY] = TESLA_GP, [IR_FRAGMENT] = TESLA_FP, [IR_COMPUTE] = TESLA_CP};

struct tesla_target tesla_target_of(const struct isa_params *params)
{
    struct tesla_target target = {chips[0].name, chips[0].features, 0};
    for (unsigned i = 0; params->chip && i < CHIPS; i++)
        if (strcmp(chips[i].name, params->chip) == 0) {
            target.chip = chips[i].name;
            target.features = chips[i].features;
        }
    if (params->stage >= 0 && params->stage < IR_STAGES)
        target.stage = stages[params->stage];
    return target;
}

int tesla_ir_stage(uint8_t stage)
{
    for (int i = 0; i < IR_STAGES; i++)
        if (stages[i] && stages[i] == stage)
            return i;
    return -1;
}

const char *tesla_chips_with(struct arena *arena, uint8_t features)
{
    char text[120] = "chips that have it:";
    for (unsigned i = CHIPS; i-- > 0;)
        if ((chips[i].features & features) == features) {
            size_t n = strlen(text);
            if (n + strlen(chips[i].name) + 2 < sizeof text) {
                text[n] = ' ';
                memcpy(text + n + 1, chips[i].name, strlen(chips[i].name) + 1);
            }
        }
    return arena_strndup(arena, text, strlen(text));
}

void tesla_set_up_module(struct isa_module *m, const struct isa_params *params, const char *name)
{
    m->target = tesla_target_of(params);
    m->base = (uint32_t)params->base;
    m->linkage = params->linkage;
    m->entry = params->entry;
    m->strict = params->strict;
    m->put_labels = params->labels;
    m->name = name;
}
