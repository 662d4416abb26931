#!/usr/bin/env python3
"""precision.py WEFT ENGINE - functions of GLSL.std.450 at corner values: zeroes, the smallest and largest numbers, ends
and middles of the domains, infinities and NaN. The oracle is double precision; how far off a result may be is what
Vulkan's specification demands ("Precision of GLSL.std.450 Instructions"), or four units in the last place where it
allows more: test_numbers.c holds weft to that too. At an infinity weft gives the function's limit."""
import math
import os
import struct
import subprocess
import sys
import tempfile

INF, NAN = math.inf, math.nan
# AmberScript's type, GLSL's, struct's letter, bits of mantissa, least and largest exponent.
TYPES = [("float", "float", "f", 23, -126, 127), ("float16", "float16_t", "e", 10, -14, 15)]


def rounded(letter, value):
    try:
        return struct.unpack("<" + letter, struct.pack("<" + letter, value))[0]
    except OverflowError:
        return math.copysign(INF, value)


def whole(f):
    """An oracle without exceptions: poles are infinities, what has no value is NaN."""
    def safe(*x):
        if any(v != v for v in x):
            return NAN
        try:
            return f(*x)
        except OverflowError:
            return INF
        except (ValueError, ZeroDivisionError):
            return NAN
    return safe


def log(x):
    return -INF if x == 0 else math.log(x)


def log2(x):
    return -INF if x == 0 else math.log2(x)


def inverse_root(x):
    return math.copysign(INF, x) if x == 0 else 1 / math.sqrt(x)


def power(x, y):
    if x == 1 or y == 0:
        return 1.0
    return NAN if x < 0 or (x == 0 and y <= 0) or math.isinf(x) else x ** y


def sinh(x):
    try:
        return math.sinh(x)
    except OverflowError:
        return math.copysign(INF, x)


def atanh(x):
    return math.copysign(INF, x) if abs(x) == 1 else math.atanh(x)


def wrapped(f):
    """Sine and cosine are for -pi to pi; beyond them anything from -1 to 1 is right."""
    return lambda x: f(x) if abs(x) <= math.pi else NAN


# Name, arguments, oracle, units in the last place, or a function of mantissa and arguments that gives them; an absolute
# error beside it, by mantissa.
FUNCTIONS = [
    ("sin", 1, wrapped(math.sin), 4, {}),
    ("cos", 1, wrapped(math.cos), 4, {}),
    ("asin", 1, math.asin, 4, {}),
    ("acos", 1, math.acos, 4, {}),
    ("atan", 1, math.atan, 4, {}),
    ("atan2", 2, math.atan2, 4, {}),
    ("sinh", 1, sinh, 8, {}),
    ("cosh", 1, math.cosh, 8, {}),
    ("tanh", 1, math.tanh, 8, {}),
    ("asinh", 1, math.asinh, 8, {}),
    ("acosh", 1, math.acosh, 8, {}),
    ("atanh", 1, atanh, 8, {}),
    ("exp", 1, math.exp, lambda m, x: (3 if m == 23 else 1) + 2 * abs(x), {}),
    ("exp2", 1, lambda x: 2.0 ** x, lambda m, x: (3 if m == 23 else 1) + 2 * abs(x), {}),
    ("log", 1, log, 3, {23: 2.0 ** -21, 10: 2.0 ** -7}),
    ("log2", 1, log2, 3, {23: 2.0 ** -21, 10: 2.0 ** -7}),
    ("pow", 2, power, lambda m, x, y: 16 + 4 * abs(y * log2(x)) if 0 < x < INF and abs(y) < INF else 0, {}),
    ("sqrt", 1, math.sqrt, 3, {}),
    ("inversesqrt", 1, inverse_root, 2, {}),
    ("radians", 1, math.radians, 3, {}),
    ("degrees", 1, math.degrees, 3, {}),
    ("fract", 1, lambda x: x - math.floor(x) if abs(x) < INF else NAN, 1, {}),
]
EXPRESSIONS = {"atan2": "atan(a, b)", "pow": "pow(a, b)"}


def corners(mantissa, least, largest):
    """Numbers that are exact in the type."""
    unit, small = 2.0 ** -mantissa, 2.0 ** least
    top = (2 - unit) * 2.0 ** largest
    values = [0.0, small * unit, small * (1 - unit), small, small * (1 + unit), unit, math.sqrt(small), 0.25,
              0.5 - unit / 4, 0.5, 0.5 + unit, math.sqrt(0.5), 1 - unit / 2, 1.0, 1 + unit, 1.5, math.pi / 2,
              2 - unit, 2.0, math.e, 3.0, math.pi * (1 - unit), 4.0, 10.0, float(largest), float(largest + 1) - 0.5,
              (largest + 0.5) * math.log(2), 2.0 ** (mantissa + 1), math.sqrt(top), top / 2, top, INF]
    return values + [-v for v in values] + [NAN]


def job(kind, values, pairs):
    amber, number = kind[:2]
    data = {"ones": values, "lefts": [p[0] for p in pairs], "rights": [p[1] for p in pairs]}
    letter = {"float": "I", "float16_t": "H"}[number]
    text = ["#!amber", "SHADER compute c GLSL", "#version 450",
            "#extension GL_EXT_shader_explicit_arithmetic_types : require"]
    for n, name in enumerate(data):
        text.append(f"layout(set = 0, binding = {n}) buffer B{n} {{ {number} {name}[]; }};")
    for i in range(len(FUNCTIONS)):
        text.append(f"layout(set = 1, binding = {i}) buffer O{i} {{ {number} out{i}[]; }};")
    text += ["void main()", "{", "    uint k = gl_GlobalInvocationID.x;"]
    text.append(f"    {number} a, b;")
    for i, f in enumerate(FUNCTIONS):
        text.append(f"    a = k < {len(values)}u ? ones[k] : {number}(0);" if f[1] == 1
                    else "    a = lefts[k], b = rights[k];")
        text.append(f"    out{i}[k] = {EXPRESSIONS.get(f[0], f[0] + '(a)')};")
    text += ["}", "END"]
    integer = {"I": "uint32", "H": "uint16"}[letter]
    for name, list_of in data.items():
        bits = struct.unpack(f"<{len(list_of)}{letter}", struct.pack(f"<{len(list_of)}{kind[2]}", *list_of))
        text.append(f"BUFFER {name} DATA_TYPE {integer} DATA {' '.join(map(str, bits))} END")
    for i in range(len(FUNCTIONS)):
        text.append(f"BUFFER out{i} DATA_TYPE {integer} SIZE {len(pairs)} FILL 0")
    text += ["PIPELINE compute p", "  ATTACH c"]
    for n, name in enumerate(data):
        text.append(f"  BIND BUFFER {name} AS storage DESCRIPTOR_SET 0 BINDING {n}")
    for i in range(len(FUNCTIONS)):
        text.append(f"  BIND BUFFER out{i} AS storage DESCRIPTOR_SET 1 BINDING {i}")
    text += ["END", f"RUN p {len(pairs)} 1 1", ""]
    return "\n".join(text)


def allowed(function, kind, x, wanted):
    """The error that a finite result may have."""
    mantissa, least = kind[3:5]
    units, absolute = function[3], function[4].get(mantissa, 0)
    units = units[mantissa] if isinstance(units, dict) else units(mantissa, *x) if callable(units) else units
    exponent = max(math.frexp(wanted)[1] - 1, least) if wanted else least
    return max(units * 2.0 ** (exponent - mantissa), absolute)


def fits(function, kind, x, found):
    wanted = whole(function[2])(*x)
    letter, mantissa, least, largest = kind[2:]
    if wanted != wanted:
        # NaN goes in and comes out, or pow leaves it out; outside of its domain a function may give anything
        return found != found or all(v == v for v in x) or (function[0] == "pow" and found == 1)
    top = (2 - 2.0 ** -mantissa) * 2.0 ** largest
    if math.isinf(wanted) or abs(wanted) > top:
        limit = INF if math.isinf(wanted) else abs(wanted)
        error = 0 if math.isinf(limit) else allowed(function, kind, x, wanted)
        return found == math.copysign(INF, wanted) or (abs(found) >= top - error and limit != INF and
                                                       found * wanted > 0)
    error = allowed(function, kind, x, wanted)
    if math.isinf(found):
        return abs(wanted) + error > top and found * wanted > 0
    if abs(found - wanted) <= error:
        return True
    # denormal numbers may be zeroes, going in and coming out
    small = 2.0 ** least
    flushed = [math.copysign(0.0, v) if abs(v) < small else v for v in x]
    return (abs(wanted) <= small and found == 0) or (flushed != list(x) and kind[1] != "float" and
                                                     fits(function, kind, flushed, found))


def main():
    weft, engine = sys.argv[1:3]
    count = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in TYPES:
            values = [rounded(kind[2], v) for v in corners(*kind[3:])]
            pairs = [(a, b) for a in values for b in values]
            path = os.path.join(folder, "job.amber")
            with open(path, "w", encoding="utf-8") as f:
                f.write(job(kind, values, pairs))
            command = [weft, "run", path, "--engine", engine]
            for i in range(len(FUNCTIONS)):
                command += ["--dump", f"out{i}={os.path.join(folder, str(i) + '.raw')}"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
            for i, function in enumerate(FUNCTIONS):
                count += 1
                wrong = [done.stderr]
                if done.returncode == 0:
                    with open(os.path.join(folder, f"{i}.raw"), "rb") as f:
                        found = [v[0] for v in struct.iter_unpack("<" + kind[2], f.read())]
                    given = [(v,) for v in values] if function[1] == 1 else pairs
                    wrong = [f"{x}: found {y!r}, wanted {whole(function[2])(*x)!r}" for x, y in zip(given, found)
                             if not fits(function, kind, x, y)]
                failed += bool(wrong)
                print(f"{'not ok' if wrong else 'ok'} {count} {function[0]} of {kind[1]}", flush=True)
                for line in wrong[:8]:
                    print("# " + line.replace("\n", "\n# "))
    print(f"1..{count}")
    return failed != 0


sys.exit(main())
