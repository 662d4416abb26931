#!/usr/bin/env python3
"""matrices.py WEFT ENGINE - determinants and inverses of random matrices of 2 to 4 columns, of halves, singles and
doubles, against exact fractions: at most one unit in the last place off, and two for inverses of doubles (units of the
largest element)."""
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

MATRICES = 40
# The type in AmberScript, GLSL's matrix and number, struct's letter, bits of mantissa, least exponent.
TYPES = [("float16", "f16mat", "float16_t", "e", 10, -14), ("float", "mat", "float", "f", 23, -126),
         ("double", "dmat", "double", "d", 52, -1022)]


def determinant(m):
    if len(m) == 1:
        return m[0][0]
    return sum((-1) ** j * m[0][j] * determinant(without(m, 0, j)) for j in range(len(m)))


def without(m, i, j):
    return [row[:j] + row[j + 1:] for k, row in enumerate(m) if k != i]


def inverse(m):
    whole = determinant(m)
    return [[(-1) ** (i + j) * determinant(without(m, j, i)) / whole for j in range(len(m))] for i in range(len(m))]


def unit(value, mantissa, least):
    """The last place of a number of this size."""
    exponent = max(math.frexp(float(value))[1] - 1, least) if value else least
    return Fraction(2) ** (exponent - mantissa)


def job(kind, n, matrices):
    amber, matrix, number = kind[:3]
    data = " ".join(repr(x) for m in matrices for column in m for x in column)
    return f"""#!amber
SHADER compute c GLSL
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(set = 0, binding = 0) buffer In {{ {matrix}{n} given[]; }};
layout(set = 0, binding = 1) buffer D {{ {number} determinants[]; }};
layout(set = 0, binding = 2) buffer I {{ {matrix}{n} inverses[]; }};
void main()
{{
    uint k = gl_WorkGroupID.x;
    {matrix}{n} m = given[k];
    determinants[k] = determinant(m);
    inverses[k] = inverse(m);
}}
END
BUFFER given DATA_TYPE mat{n}x{n}<{amber}> DATA {data} END
BUFFER determinants DATA_TYPE {amber} SIZE {MATRICES} FILL 0
BUFFER inverses DATA_TYPE mat{n}x{n}<{amber}> SIZE {MATRICES} FILL 0
PIPELINE compute p
  ATTACH c
  BIND BUFFER given AS storage DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER determinants AS storage DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER inverses AS storage DESCRIPTOR_SET 0 BINDING 2
END
RUN p {MATRICES} 1 1
"""


def read(path, letter):
    with open(path, "rb") as f:
        data = f.read()
    return struct.unpack(f"<{len(data) // struct.calcsize(letter)}{letter}", data)


def worst_of(kind, n, matrices, folder):
    """The largest errors of the determinants and of the inverses, in units."""
    letter, mantissa, least = kind[3:]
    determinants = read(os.path.join(folder, "determinants.raw"), letter)
    inverses = read(os.path.join(folder, "inverses.raw"), letter)
    stride = 4 if n == 3 else n
    worst = [Fraction(0), Fraction(0)]
    for k, m in enumerate(matrices):
        exact = [[Fraction(x) for x in column] for column in m]
        wanted = determinant(exact)
        worst[0] = max(worst[0], abs(Fraction(determinants[k]) - wanted) / unit(wanted, mantissa, least))
        wanted = inverse(exact)
        last = unit(max(abs(x) for column in wanted for x in column), mantissa, least)
        for c in range(n):
            for r in range(n):
                found = Fraction(inverses[(k * n + c) * stride + r])
                worst[1] = max(worst[1], abs(found - wanted[c][r]) / last)
    return worst


def main():
    weft, engine = sys.argv[1:3]
    numbers = random.Random(7)
    count = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in TYPES:
            for n in (2, 3, 4):
                matrices = [[[struct.unpack("<" + kind[3], struct.pack("<" + kind[3], numbers.uniform(-1, 1) *
                                                                      10 ** numbers.uniform(-2, 1.3)))[0]
                              for _ in range(n)] for _ in range(n)] for _ in range(MATRICES)]
                path = os.path.join(folder, "job.amber")
                with open(path, "w", encoding="utf-8") as f:
                    f.write(job(kind, n, matrices))
                command = [weft, "run", path, "--engine", engine]
                for name in ("determinants", "inverses"):
                    command += ["--dump", f"{name}={os.path.join(folder, name + '.raw')}"]
                done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
                count += 1
                worst = worst_of(kind, n, matrices, folder) if done.returncode == 0 else None
                good = worst is not None and worst[0] <= 1 and worst[1] <= (2 if kind[0] == "double" else 1)
                failed += not good
                print(f"{'ok' if good else 'not ok'} {count} {kind[0]}, {n} columns", flush=True)
                if not good:
                    print("# " + (done.stderr.replace("\n", "\n# ") if worst is None
                                  else f"errors of {float(worst[0])} and {float(worst[1])} units"))
    print(f"1..{count}")
    return failed != 0


sys.exit(main())
