/* print.h - printing parts of a module. */
#ifndef WEFT_ISA_TGSI_PRINT_H
#define WEFT_ISA_TGSI_PRINT_H

#include "isa/text.h"
#include "isa/tgsi/items.h"

/* An item's line without its number, indentation and newline. Takes less than TEXT_ROOM bytes. */
void tgsi_put_item(struct text *t, const struct tgsi_any *any);

#endif
