/* isa_html.h - the reference of instruction sets as web pages. */
#ifndef WEFT_CLI_ISA_HTML_H
#define WEFT_CLI_ISA_HTML_H

#include <weft/isa.h>

/* Write index.html and a page NAME.html for each instruction set (or for `only`) into a folder, made if need be.
 * Returns an exit status, having said what is wrong. */
int isa_html_write(const char *folder, const weft_isa *only);

#endif
