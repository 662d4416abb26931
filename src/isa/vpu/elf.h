/* elf.h - the 32-bit ELF of the VPU: little endian, machine 137, no flags. */
#ifndef WEFT_ISA_VPU_ELF_H
#define WEFT_ISA_VPU_ELF_H

enum {
    ELF_MACHINE = 137, ELF_HEADER = 52, ELF_SEGMENT = 32, ELF_SECTION = 40, ELF_SYMBOL = 16,
    ELF_RELOCATABLE = 1, ELF_EXECUTABLE = 2
};

enum { SHT_PROGBITS = 1, SHT_SYMTAB = 2, SHT_STRTAB = 3, SHT_RELA = 4, SHT_NOBITS = 8, SHT_REL = 9 };
enum { SHF_WRITE = 1, SHF_ALLOC = 2, SHF_EXEC = 4 };
enum { PT_LOAD = 1, PF_EXEC = 1, PF_WRITE = 2, PF_READ = 4 };
enum { SHN_ABS = 0xfff1, STT_NOTYPE = 0, STT_FUNC = 2, STB_LOCAL = 0, STB_GLOBAL = 1 };

/* Offsets in the file header. */
enum { EH_TYPE = 16, EH_MACHINE = 18, EH_VERSION = 20, EH_ENTRY = 24, EH_PHOFF = 28, EH_SHOFF = 32, EH_FLAGS = 36,
       EH_EHSIZE = 40, EH_PHENTSIZE = 42, EH_PHNUM = 44, EH_SHENTSIZE = 46, EH_SHNUM = 48, EH_SHSTRNDX = 50 };
/* In a section header. */
enum { SH_NAME = 0, SH_TYPE = 4, SH_FLAGS = 8, SH_ADDR = 12, SH_OFFSET = 16, SH_SIZE = 20, SH_LINK = 24, SH_INFO = 28,
       SH_ALIGN = 32, SH_ENTSIZE = 36 };
/* In a program header. */
enum { PH_TYPE = 0, PH_OFFSET = 4, PH_VADDR = 8, PH_PADDR = 12, PH_FILESZ = 16, PH_MEMSZ = 20, PH_FLAGS = 24,
       PH_ALIGN = 28 };
/* In a symbol. */
enum { ST_NAME = 0, ST_VALUE = 4, ST_SIZE = 8, ST_INFO = 12, ST_OTHER = 13, ST_SHNDX = 14 };

#endif
