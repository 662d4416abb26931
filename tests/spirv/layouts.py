#!/usr/bin/env python3
"""layouts.py WEFT ENGINE [SEED...] - structures of random types in buffers of every layout: copied as a whole from
one layout to another, part by part with indices chosen at run time, and through variables, functions and workgroup
memory. Where a part lies is worked out here (OpenGL Shading Language, "Standard Uniform Block Layout";
GL_EXT_scalar_block_layout)."""
import os
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.dont_write_bytecode = True
import sample

PROGRAMS = 24
# GLSL's number, its vectors, its matrices, bytes, struct's letter.
NUMBERS = [("float", "vec", "mat", 4, "f"), ("int", "ivec", None, 4, "i"), ("uint", "uvec", None, 4, "I"),
           ("double", "dvec", "dmat", 8, "d"), ("float16_t", "f16vec", "f16mat", 2, "e"),
           ("int64_t", "i64vec", None, 8, "q"), ("uint16_t", "u16vec", None, 2, "H"),
           ("int16_t", "i16vec", None, 2, "h"), ("uint8_t", "u8vec", None, 1, "B"), ("int8_t", "i8vec", None, 1, "b")]
LAYOUTS = [(rules, order) for rules in ("std140", "std430", "scalar") for order in ("column_major", "row_major")]
SHADER = """#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_scalar_block_layout : require
"""


class Type:
    """A number, a vector, a matrix, an array or a structure: `parts` has the name and the type of each part."""

    def __init__(self, kind, name, parts=(), number=None, rows=0):
        self.kind, self.name, self.parts, self.number, self.rows = kind, name, parts, number, rows

    def declared(self, name):
        sizes, t = "", self
        while t.kind == "array":
            sizes += f"[{len(t.parts)}]"
            t = t.parts[0][1]
        return f"{t.name} {name}{sizes}"


def number_type(n):
    return Type("number", n[0], number=n)


def vector_type(n, count):
    return Type("vector", f"{n[1]}{count}", [(str(i), number_type(n)) for i in range(count)], n)


def matrix_type(n, columns, rows):
    return Type("matrix", f"{n[2]}{columns}x{rows}", [(str(i), vector_type(n, rows)) for i in range(columns)], n, rows)


def array_type(t, count):
    return Type("array", None, [(str(i), t) for i in range(count)])


class Maker:
    """Random types, and the structures that they need."""

    def __init__(self, numbers):
        self.numbers, self.structures = numbers, []

    def simple(self):
        n = self.numbers.choice(NUMBERS[:2] * 2 + NUMBERS)
        which = self.numbers.randrange(4)
        if which == 3:
            n = self.numbers.choice([n for n in NUMBERS if n[2]])
            return matrix_type(n, self.numbers.randrange(2, 5), self.numbers.randrange(2, 5))
        return vector_type(n, self.numbers.randrange(2, 5)) if which else number_type(n)

    def any(self, depth):
        which = self.numbers.randrange(6)
        if depth and which == 0:
            return self.structure(depth - 1)
        if depth and which in (1, 2):
            return array_type(self.any(depth - 1), self.numbers.randrange(1, 4))
        return self.simple()

    def structure(self, depth):
        parts = [(f"m{i}", self.any(depth)) for i in range(self.numbers.randrange(2, 6))]
        t = Type("structure", f"S{len(self.structures)}", parts)
        self.structures.append(t)
        return t


def rounded(n, to):
    return (n + to - 1) // to * to


def of_vectors(size, count, rules):
    """Alignment, stride and size of `count` vectors of `size` numbers of so many bytes."""
    align, whole = vector_place(*size, rules)
    align = rounded(align, 16) if rules == "std140" else align
    stride = rounded(whole, align)
    return align, stride, stride * count


def vector_place(width, n, rules):
    return (width if rules == "scalar" else width * (1, 1, 2, 4, 4)[n]), width * n


def place(t, rules, order):
    """Alignment and size."""
    if t.kind == "number":
        return t.number[3], t.number[3]
    if t.kind == "vector":
        return vector_place(t.number[3], len(t.parts), rules)
    if t.kind == "matrix":
        across, along = (t.rows, len(t.parts)) if order == "row_major" else (len(t.parts), t.rows)
        align, _, size = of_vectors((t.number[3], along), across, rules)
        return align, size
    align = end = 0
    for _, part in t.parts:
        its, size = place(part, rules, order)
        its = rounded(its, 16) if rules == "std140" and t.kind == "array" else its
        align = max(align, its)
        end = rounded(end, its) + size
    align = rounded(align, 16) if rules == "std140" else align
    return align, end if rules == "scalar" else rounded(end, align)  # glslang leaves nothing at the end of scalar ones


def leaves(t, rules, order, at=0, path=()):
    """Each number: its offset, what it is, and how to reach it."""
    if t.kind == "number":
        yield at, t.number, path
        return
    offset = 0
    for i, (name, part) in enumerate(t.parts):
        step = path + ((name if t.kind == "structure" else i),)
        if t.kind == "matrix":
            align, stride, _ = of_vectors((t.number[3], len(t.parts) if order == "row_major" else t.rows), 1, rules)
            for r in range(t.rows):
                where = r * stride + i * t.number[3] if order == "row_major" else i * stride + r * t.number[3]
                yield at + where, t.number, step + (r,)
            continue
        align, size = place(part, rules, order)
        if t.kind == "array":
            align = rounded(align, 16) if rules == "std140" else align
            size = rounded(size, align)
        offset = rounded(offset, 1 if t.kind == "vector" else align)
        yield from leaves(part, rules, order, at + offset, step)
        offset += size


def written(path, numbers):
    """The path in GLSL: an index is a constant, or chosen at run time."""
    return "".join(f".{step}" if isinstance(step, str) else
                   f"[{step} + z]" if numbers.randrange(2) else f"[{step}]" for step in path)


def value_of(i, salt):
    return 1 + (i * 37 + salt * 11) % 120


def image(t, layout, salt):
    """The bytes of a buffer whose numbers are those of value_of."""
    data = bytearray(place(t, *layout)[1])
    for i, (at, number, _) in enumerate(leaves(t, *layout)):
        struct.pack_into("<" + number[4], data, at, value_of(i, salt))
    return bytes(data)


class Program:
    def __init__(self, seed):
        self.numbers = random.Random(seed)
        maker = Maker(self.numbers)
        self.type = maker.structure(2)
        self.structures = maker.structures
        # What is copied; the whole; part by part; through a variable, a function and workgroup memory.
        self.layouts = {name: self.numbers.choice(LAYOUTS) for name in "abcdef"}
        self.uniform = self.layouts["a"][0] == "std140" and seed % 2 == 0

    def shader(self):
        out = [SHADER]
        for t in self.structures:
            out.append("struct %s { %s };" % (t.name, " ".join(p.declared(n) + ";" for n, p in t.parts)))
        for i, (name, (rules, order)) in enumerate(sorted(self.layouts.items())):
            kind = "uniform" if name == "a" and self.uniform else "buffer"
            out.append(f"layout(set = 0, binding = {i}, {rules}, {order}) {kind} {name.upper()} "
                       f"{{ {self.type.name} s; }} {name};")
        out += ["layout(set = 0, binding = 6) buffer R { uint v[]; } r;",
                "layout(set = 0, binding = 7) buffer Z { uint zero; };",
                f"shared {self.type.name} h;",
                f"{self.type.name} changed({self.type.name} x, uint z)", "{"]
        some = list(enumerate(leaves(self.type, "std430", "column_major")))
        for i, (_, number, path) in some[::2]:
            out.append(f"    x{written(path, self.numbers)} = {number[0]}({value_of(i, 2)});")
        out += ["    return x;", "}", "void main()", "{", "    uint z = zero;", "    b.s = a.s;"]
        for i, (_, number, path) in some:
            out.append(f"    r.v[{i}] = uint(a.s{written(path, self.numbers)});")
            out.append(f"    c.s{written(path, self.numbers)} = {number[0]}({value_of(i, 1)});")
        out += ["    d.s = changed(a.s, z);", f"    {self.type.name} t = b.s;"]
        for i, (_, number, path) in some[1::2]:
            out.append(f"    t{written(path, self.numbers)} = {number[0]}({value_of(i, 2)});")
        out.append("    h = t;")
        for i, (_, number, path) in some[::2]:
            out.append(f"    h{written(path, self.numbers)} = {number[0]}({value_of(i, 2)});")
        out += ["    e.s = h;"]
        for _, (_, _, path) in some:
            out.append(f"    f.s{written(path, self.numbers)} = h{written(path, self.numbers)};")
        return "\n".join(out + ["}"])

    def wanted(self):
        half = []
        for i, _ in enumerate(leaves(self.type, *self.layouts["d"])):
            half.append(value_of(i, 2 if i % 2 == 0 else 0))
        d = bytearray(image(self.type, self.layouts["d"], 0))
        for value, (at, number, _) in zip(half, leaves(self.type, *self.layouts["d"])):
            struct.pack_into("<" + number[4], d, at, value)
        count = sum(1 for _ in leaves(self.type, *self.layouts["a"]))
        return {"b": image(self.type, self.layouts["b"], 0), "c": image(self.type, self.layouts["c"], 1),
                "d": bytes(d), "e": image(self.type, self.layouts["e"], 2), "f": image(self.type, self.layouts["f"], 2),
                "r": b"".join(struct.pack("<I", value_of(i, 0)) for i in range(count))}

    def job(self, wanted):
        given = " ".join(map(str, image(self.type, self.layouts["a"], 0)))
        lines = ["#!amber", "SHADER compute main GLSL TARGET_ENV spv1.%d" % self.numbers.choice([3, 4, 5]),
                 self.shader(), "END", f"BUFFER a DATA_TYPE uint8 DATA {given} END",
                 "BUFFER z DATA_TYPE uint32 DATA 0 END"]
        lines += [f"BUFFER {name} DATA_TYPE uint8 SIZE {len(data)} FILL 0" for name, data in wanted.items()]
        lines += ["PIPELINE compute p", "  ATTACH main"]
        for i, name in enumerate("abcdefrz"):
            kind = "uniform" if name == "a" and self.uniform else "storage"
            lines.append(f"  BIND BUFFER {name} AS {kind} DESCRIPTOR_SET 0 BINDING {i}")
        return "\n".join(lines + ["END", "RUN p 1 1 1"]) + "\n"


def difference(program, name, got, wanted):
    """The first number that is not what it should be."""
    if name == "r":
        return next(f"number {i // 4}" for i in range(0, len(wanted), 4) if got[i:i + 4] != wanted[i:i + 4])
    for at, number, path in leaves(program.type, *program.layouts[name]):
        if got[at:at + number[3]] != wanted[at:at + number[3]]:
            return f"{number[0]} {path} at {at}: {got[at:at + number[3]].hex()}, not {wanted[at:at + number[3]].hex()}"
    return "bytes between the numbers"


def main():
    weft, engine = sys.argv[1:3]
    seeds = [int(s) for s in sys.argv[3:]] or sample.of_this_turn(range(1, PROGRAMS + 1), sample.FEW)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for count, seed in enumerate(seeds, 1):
            program = Program(seed)
            wanted = program.wanted()
            path = os.path.join(folder, "job.amber")
            with open(path, "w", encoding="utf-8") as f:
                f.write(program.job(wanted))
            command = [weft, "run", path, "--engine", engine]
            for name in wanted:
                command += ["--dump", f"{name}={os.path.join(folder, name)}.raw"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
            problems = [done.stderr.strip()] if done.returncode else []
            for name, data in wanted.items() if not problems else ():
                with open(os.path.join(folder, name + ".raw"), "rb") as f:
                    got = f.read()
                if got != data:
                    problems.append(f"{name}, {' '.join(program.layouts.get(name, ()))}: "
                                    + difference(program, name, got, data))
            failed += bool(problems)
            print(f"{'not ok' if problems else 'ok'} {count} program {seed}", flush=True)
            for problem in problems:
                print("# " + problem.replace("\n", "\n# "))
    print(f"1..{len(seeds)}")
    return failed != 0


sys.exit(main())
