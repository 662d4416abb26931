/* load.c - programs into memory: flat images, and ELF executables by their segments. */
#include "device/machine/parts.h"

#include "base/bytes.h"

#include <string.h>

enum { ELF_HEADER = 52, ELF_SEGMENT = 32, ELF_MACHINE = 137, ELF_LOAD = 1 };

static uint32_t half(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8;
}

static weft_status refuse(weft_diags *diags, const char *name, const char *why)
{
    diag_add(diags, WEFT_ERROR, "bad-image", name, NULL, "%s", why);
    return WEFT_ERROR_INPUT;
}

static bool clear(struct machine *m, uint32_t address, uint32_t size)
{
    uint32_t left;
    uint8_t *to = bus_memory(m, address, &left);
    if (size && (!to || left < size))
        return false;
    if (size)
        memset(to, 0, size);
    return true;
}

static weft_status load_segment(struct machine *m, const char *name, const uint8_t *bytes, size_t size,
                                const uint8_t *segment, weft_diags *diags)
{
    uint32_t offset = bytes_word(segment + 4), address = bytes_word(segment + 8);
    uint32_t in_file = bytes_word(segment + 16), in_memory = bytes_word(segment + 20);
    if (bytes_word(segment) != ELF_LOAD)
        return WEFT_OK;
    if (offset > size || in_file > size - offset || in_file > in_memory)
        return refuse(diags, name, "a segment of the ELF file reaches beyond its end");
    if (!clear(m, address, in_memory) || (in_file && !machine_write(m, address, bytes + offset, in_file)))
        return refuse(diags, name, "a segment of the ELF file does not fit the memory");
    return WEFT_OK;
}

static weft_status load_elf(struct machine *m, const char *name, const uint8_t *bytes, size_t size, weft_diags *diags)
{
    if (size < ELF_HEADER)
        return refuse(diags, name, "the ELF file ends within its header");
    if (bytes[4] != 1 || bytes[5] != 1)
        return refuse(diags, name, "an ELF file of 32 bits, little endian, is what the VPU has");
    if (half(bytes + 18) != ELF_MACHINE)
        return refuse(diags, name, "the ELF file is not for the VPU (machine 137)");
    if (half(bytes + 16) != 2)
        return refuse(diags, name, "the ELF file is not linked: an executable is needed");
    uint32_t table = bytes_word(bytes + 28), each = half(bytes + 42), count = half(bytes + 44);
    if (count && (each < ELF_SEGMENT || table > size || (uint64_t)each * count > size - table))
        return refuse(diags, name, "the program header table of the ELF file reaches beyond its end");
    for (uint32_t k = 0; k < count; k++) {
        weft_status status = load_segment(m, name, bytes, size, bytes + table + each * k, diags);
        if (status != WEFT_OK)
            return status;
    }
    machine_set_pc(m, bytes_word(bytes + 24));
    return WEFT_OK;
}

weft_status machine_load(struct machine *m, const char *name, const uint8_t *bytes, size_t size, uint32_t address,
                         weft_diags *diags)
{
    if (size >= 4 && memcmp(bytes, "\177ELF", 4) == 0)
        return load_elf(m, name, bytes, size, diags);
    if (size && !machine_write(m, address, bytes, size)) {
        bool whole = m->sdram_size % (1u << 20) == 0;
        diag_add(diags, WEFT_ERROR, "bad-image", name, NULL,
                 "there is no memory for the %zu bytes of the image at 0x%x: there are %u %s from address 0 on", size,
                 address, m->sdram_size >> (whole ? 20 : 10), whole ? "MiB" : "KiB");
        return WEFT_ERROR_INPUT;
    }
    machine_set_pc(m, address);
    return WEFT_OK;
}
