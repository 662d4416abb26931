/* weft/weft.h - all of weft's public interface. */
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include <weft/api.h>
#include <weft/diag.h>
#include <weft/draw.h>
#include <weft/insn.h>
#include <weft/isa.h>
#include <weft/job.h>
#include <weft/machine.h>
#include <weft/program.h>
#include <weft/run.h>
#include <weft/status.h>
#include <weft/version.h>

#endif
