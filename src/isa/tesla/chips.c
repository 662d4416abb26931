/* chips.c - chips and what they have ("Chip variants"), program types, and what modules keep of their parameters. */
#include "ir/io.h"
#include "isa/tesla/table.h"

#include <string.h>

enum {
#define FEATURE(name, bit, chips) name = bit,
#include "isa/tesla/chips.inc"
#undef FEATURE
};

static const struct {
    const char *name;
    uint8_t features;
} chips[] = {
#define CHIP(name, features) {name, features},
#include "isa/tesla/chips.inc"
#undef CHIP
};
enum { CHIPS = sizeof chips / sizeof chips[0] };

const char *const tesla_chips[] = {
#define CHIP(name, features) name,
#include "isa/tesla/chips.inc"
#undef CHIP
    NULL};

static const uint8_t stages[IR_STAGES] = {
    [IR_VERTEX] = TESLA_VP, [IR_GEOMETRY] = TESLA_GP, [IR_FRAGMENT] = TESLA_FP, [IR_COMPUTE] = TESLA_CP};

struct tesla_target tesla_target_at(uint32_t chip, int stage)
{
    struct tesla_target target = {chips[chip].name, chips[chip].features, 0};
    if (stage >= 0 && stage < IR_STAGES)
        target.stage = stages[stage];
    return target;
}

struct tesla_target tesla_target_of(const struct isa_params *params)
{
    uint32_t chip = 0;
    for (uint32_t i = 0; params->chip && i < CHIPS; i++)
        if (strcmp(chips[i].name, params->chip) == 0)
            chip = i;
    return tesla_target_at(chip, params->stage);
}

int tesla_ir_stage(uint8_t stage)
{
    for (int i = 0; i < IR_STAGES; i++)
        if (stages[i] && stages[i] == stage)
            return i;
    return -1;
}

const char *tesla_chips_of(uint8_t features)
{
    static const struct {
        uint8_t bit;
        const char *chips;
    } of[] = {
#define FEATURE(name, bit, chips) {bit, chips},
#include "isa/tesla/chips.inc"
#undef FEATURE
    };
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        if (features & of[i].bit)
            return of[i].chips;
    return NULL;
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
