/* programs.h - a kernel of each instruction set that does one thing, for tests of what runs programs: word n of buffer
 * 1 is 3 * word n of buffer 0 + 5, of `width` invocations to a workgroup. */
#ifndef WEFT_TESTS_LIBRARY_PROGRAMS_H
#define WEFT_TESTS_LIBRARY_PROGRAMS_H

#include "test.h"

#include <stdbool.h>

#include <weft/weft.h>

struct kernel {
    const char *isa, *chip, *linkage, *text;
    unsigned width;
    const char *registers; /* a file whose register is the number that is multiplied, before the instruction `at` */
    uint32_t number;
    unsigned at;           /* instructions before it */
    unsigned steps;        /* instructions in all */
    uint64_t addresses[2]; /* of word 0 of both buffers */
    weft_space space;      /* of the loads and stores */
};

static const struct kernel kernels[] = {
    {"tgsi", NULL, NULL,
     "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nDCL SV[0], BLOCK_ID\nDCL SV[1], THREAD_ID\nDCL BUFFER[0..1]\n"
     "DCL TEMP[0..1]\nIMM[0] UINT32 {64, 2, 3, 5}\n"
     "UMAD TEMP[0].x, SV[0].xxxx, IMM[0].xxxx, SV[1].xxxx\n"
     "SHL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
     "LOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx\n"
     "UMAD TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz, IMM[0].wwww\n"
     "STORE BUFFER[1].x, TEMP[0].xxxx, TEMP[1].xxxx\n"
     "END\n",
     64, "TEMP", 4, 3, 6, {0, 0}, WEFT_SPACE_BUFFER},
    {"tesla", "gt215", "block 32\n",
     "cvt u32 $r0 u16 $r0l\n"
     "cvt u32 $r1 u16 u16 s[0xc]\n"
     "shl b32 $r1 $r1 0x5\n"
     "add b32 $r0 $r0 $r1\n"
     "shl b32 $r2 $r0 0x2\n"
     "ld b32 $r3 g0[$r2]\n"
     "shl b32 $r4 $r3 0x1\n"
     "add b32 $r3 $r3 $r4\n"
     "add b32 $r3 $r3 0x5\n"
     "st b32 g1[$r2] $r3\n"
     "exit nop\n",
     32, "r", 3, 6, 11, {0, 0}, WEFT_SPACE_BUFFER},
    {"valhall", NULL, "block 16 1 1\nu0 = storage 0 address\nu2 = storage 1 address\n",
     "SHADDX.u64 r10, u0, r60.w0, shift:0x2\n"
     "LOAD.i32.slot0.unsigned.wait0 @r2, r10, offset:0\n"
     "IADD.u32 r3, r2, r2\n"
     "IADD.u32 r3, r3, r2\n"
     "IADD_IMM.i32 r3, r3, #0x5\n"
     "SHADDX.u64 r10, u2, r60.w0, shift:0x2\n"
     "STORE.i32.slot0.end @r3, r10, offset:0\n",
     16, "r", 2, 2, 7, {UINT64_C(0x200) << 32, UINT64_C(0x201) << 32}, WEFT_SPACE_FLAT},
    {"vpu", NULL, NULL,
     "shl r5, 6\n"
     "add r0, r5\n"
     "add r1, r5\n"
     "v32ld HY(0,0), (r0)\n"
     "v32add HY(1,0), HY(0,0), HY(0,0)\n"
     "v32add HY(0,0), HY(0,0), HY(1,0)\n"
     "v32add HY(0,0), HY(0,0), 5\n"
     "v32st HY(0,0), (r1)\n"
     "rts\n",
     16, "vrf", 0, 4, 9, {0x80000000, 0x84000000}, WEFT_SPACE_FLAT},
    {"rogue", NULL,
     "block 16 1 1\nsysval THREAD_ID.x r20\nsysval BLOCK_ID.x r21\nsh 0 storage 0\nsh 2 storage 1\n",
     "0 : umadd32 ft0, r21, c16, r20,\n"
     "    mov r22, ft0\n"
     "1 : umadd32 ft0, r22, c4, sh0,\n"
     "    mov r0, ft0\n"
     "2 : umadd32 ft0, r22, c4, sh2,\n"
     "    mov r2, ft0\n"
     "3 : mov ft0, sh1\n"
     "    mov r1, ft0\n"
     "4 : mov ft0, sh3\n"
     "    mov r3, ft0\n"
     "5 : ld r4, drc0, 1, r0\n"
     "6 : wdf drc0\n"
     "7 : umadd32 ft0, r4, c3, c5,\n"
     "    mov r5, ft0\n"
     "8 : st r5, 2, drc0, 1, r2, _\n"
     "9 : wdf drc0\n",
     16, "r", 4, 7, 10, {UINT64_C(0x200) << 32, UINT64_C(0x201) << 32}, WEFT_SPACE_FLAT},
};

static inline void show(const weft_diags *diags)
{
    char text[1000];
    for (size_t i = 0; i < weft_diags_count(diags) && i < 5; i++) {
        weft_diag_format(weft_diags_get(diags, i), 0, text, sizeof text);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
            printf("# %s\n", line);
    }
}

static inline weft_program *make_text(const char *isa, const char *chip, weft_stage stage, const char *linkage,
                                      const char *text)
{
    weft_program_options o;
    weft_program *p;
    weft_diags *diags = weft_diags_new();
    weft_program_options_init(&o);
    o.stage = stage;
    o.chip = chip;
    o.linkage = linkage;
    o.linkage_size = linkage ? strlen(linkage) : 0;
    weft_status status = weft_program_from_text(isa, isa, text, strlen(text), &o, diags, &p);
    show(diags);
    assert_int_equal(status, WEFT_OK);
    weft_diags_free(diags);
    return p;
}

static inline weft_program *make_kernel(const struct kernel *k)
{
    return make_text(k->isa, k->chip, WEFT_COMPUTE, k->linkage, k->text);
}

/* The same program from its bytes. */
static inline weft_program *make_kernel_of_bytes(const struct kernel *k)
{
    weft_program *text = make_kernel(k), *p;
    uint8_t *bytes;
    size_t size;
    weft_program_options o;
    weft_program_options_init(&o);
    o.stage = WEFT_COMPUTE;
    o.chip = k->chip;
    o.linkage = k->linkage;
    o.linkage_size = k->linkage ? strlen(k->linkage) : 0;
    assert_int_equal(weft_program_bytes(text, &bytes, &size, NULL), WEFT_OK);
    assert_int_equal(weft_program_from_bytes(k->isa, NULL, bytes, size, &o, NULL, &p), WEFT_OK);
    weft_program_free(text);
    weft_free(bytes);
    return p;
}

static inline weft_runner *make_runner(const weft_program *p, const weft_runner_options *options)
{
    weft_runner *r;
    weft_diags *diags = weft_diags_new();
    weft_status status = weft_runner_new(&p, 1, options, diags, &r);
    show(diags);
    assert_int_equal(status, WEFT_OK);
    weft_diags_free(diags);
    return r;
}

#endif
