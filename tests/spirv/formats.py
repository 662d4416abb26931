#!/usr/bin/env python3
"""formats.py WEFT ENGINE - every colour format that AmberScript names, as texel buffer, image, storage image, storage
texel buffer, colour attachment and vertex data. What a texel means, and which texel a value becomes, is worked out
here from the format's name with exact fractions (Vulkan's specification, "Formats" and "Fixed-Point Data
Conversions")."""
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.dont_write_bytecode = True
import sample

TEXELS = 64
NAMES = ["R4G4_UNORM_PACK8", "R4G4B4A4_UNORM_PACK16", "B4G4R4A4_UNORM_PACK16", "R5G6B5_UNORM_PACK16",
         "B5G6R5_UNORM_PACK16", "R5G5B5A1_UNORM_PACK16", "B5G5R5A1_UNORM_PACK16", "A1R5G5B5_UNORM_PACK16",
         "B10G11R11_UFLOAT_PACK32"]
for parts in ["R8", "R8G8", "R8G8B8", "B8G8R8", "R8G8B8A8", "B8G8R8A8", "A8B8G8R8"]:
    for mode in ["UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "SRGB"]:
        NAMES.append(f"{parts}_{mode}" + ("_PACK32" if parts == "A8B8G8R8" else ""))
for parts in ["A2R10G10B10", "A2B10G10R10"]:
    NAMES += [f"{parts}_{mode}_PACK32" for mode in ["UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT"]]
for parts in ["R16", "R16G16", "R16G16B16", "R16G16B16A16"]:
    NAMES += [f"{parts}_{mode}" for mode in ["UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "SFLOAT"]]
for parts in ["R32", "R32G32", "R32G32B32", "R32G32B32A32"]:
    NAMES += [f"{parts}_{mode}" for mode in ["UINT", "SINT", "SFLOAT"]]


def bits_of(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def float_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def nearest_single(exact):
    """The single nearest to a fraction: through a double, whose rounding is no tie of singles for these fractions."""
    return struct.unpack("<f", struct.pack("<f", float(exact)))[0]


def small_float(bits, mantissa):
    """A float without sign, with five bits of exponent; None is not a number or infinite."""
    exponent, fraction = bits >> mantissa, bits & ((1 << mantissa) - 1)
    if exponent == 31:
        return None
    if exponent == 0:
        return Fraction(fraction, 1 << (14 + mantissa))
    return Fraction((1 << mantissa) + fraction, 1 << mantissa) * Fraction(2) ** (exponent - 15)


class Format:
    def __init__(self, name):
        self.name = name
        parts = name.split("_")
        self.mode = parts[1]
        self.packed = len(parts) > 2
        self.parts = [(letter, int(bits)) for letter, bits in re.findall(r"([A-Z])(\d+)", parts[0])]
        self.size = sum(bits for _, bits in self.parts) // 8
        # AmberScript lays texels of three components out as std430 does vectors of three.
        self.stride = self.size * 4 // 3 if len(self.parts) == 3 and not self.packed else self.size
        self.kind = {"UINT": "u", "SINT": "i"}.get(self.mode, "")

    def split(self, texel):
        """The bits of each component. In packed formats the first is the highest, in others the lowest."""
        out, at = {}, 0
        for letter, bits in reversed(self.parts) if self.packed else self.parts:
            out[letter] = (texel >> at & ((1 << bits) - 1), bits)
            at += bits
        return out

    def join(self, components):
        texel, at = 0, 0
        for letter, bits in reversed(self.parts) if self.packed else self.parts:
            texel |= components[letter] << at
            at += bits
        return texel

    def signed(self, raw, bits):
        return raw - (1 << bits) if raw >> (bits - 1) else raw

    def meaning(self, letter, raw, bits):
        """The number that the bits of a component say, exactly; None is not a finite number."""
        if self.mode in ("UINT", "USCALED"):
            return Fraction(raw)
        if self.mode in ("SINT", "SSCALED"):
            return Fraction(self.signed(raw, bits))
        if self.mode == "SNORM":
            return max(Fraction(self.signed(raw, bits), (1 << (bits - 1)) - 1), Fraction(-1))
        if self.mode == "UFLOAT":
            return small_float(raw, bits - 5)
        if self.mode == "SFLOAT" and bits == 16:
            finite = small_float(raw & 0x7fff, 10)
            return finite if finite is None or raw < 0x8000 else -finite
        if self.mode == "SFLOAT":
            value = float_of(raw)
            return Fraction(value) if value - value == 0 else None
        if self.mode == "SRGB" and letter != "A":
            c = raw / 255
            return Fraction(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)
        return Fraction(raw, (1 << bits) - 1)

    def random_texel(self, numbers):
        """A texel whose floats are finite and normal; ends of the ranges come often."""
        def wanted(letter, raw, bits):
            value = self.meaning(letter, raw, bits)
            return value is not None and (raw == 0 if value == 0 else abs(value) > Fraction(1, 1 << 100))

        components = {}
        for letter, bits in self.parts:
            top = (1 << bits) - 1
            raws = [0, 1, top, top >> 1, (top >> 1) + 1] + [numbers.randrange(top + 1) for _ in range(6)]
            components[letter] = numbers.choice([raw for raw in raws if wanted(letter, raw, bits)])
        return self.join(components)

    def read(self, texel):
        """What a program sees: four exact numbers."""
        seen = self.split(texel)
        return [self.meaning(c, *seen[c]) if c in seen else Fraction(c == "A") for c in "RGBA"]

    def same(self, one, other):
        """Whether two texels say the same numbers: there are two of -1.0."""
        return self.mode == "SNORM" and self.read(one) == self.read(other)

    def bytes_of(self, texel):
        return texel.to_bytes(self.stride, "little")


def word_of(format, exact):
    """A program's register for an exact number."""
    if format.kind:
        return int(exact) & 0xffffffff
    return bits_of(nearest_single(exact))


def near(format, letter, got, exact):
    if format.kind:
        return got == int(exact) & 0xffffffff
    if format.mode == "SRGB" and letter != "A":
        return abs(Fraction(float_of(got)) - exact) < Fraction(1, 1000000)
    return got == bits_of(nearest_single(exact))


def tight(format, texels):
    """The texels that a texel buffer has over this memory: Vulkan's lie next to each other, whatever a layout pads."""
    memory = b"".join(format.bytes_of(t) for t in texels)
    return [int.from_bytes(memory[format.size * i:format.size * (i + 1)], "little") for i in range(TEXELS)]


TYPES = {"": "vec4", "u": "uvec4", "i": "ivec4"}
TO_WORDS = {"": "floatBitsToUint(v)", "u": "v", "i": "uvec4(v)"}
FROM_WORDS = {"": "uintBitsToFloat(w)", "u": "w", "i": "ivec4(w)"}


def job(format, texels):
    """A job in which each way of reading fills a buffer of words, and each way of storing one of texels."""
    k, vector, to_words, from_words = format.kind, TYPES[format.kind], TO_WORDS[format.kind], FROM_WORDS[format.kind]
    scaled = format.mode in ("USCALED", "SSCALED")
    data = " ".join(format_data(format, t) for t in texels)
    out = f"""#!amber
SHADER vertex quad PASSTHROUGH
SHADER vertex reads_vertex GLSL
#version 450
layout(location = 0) in {vector} v;
layout(set = 0, binding = 0) buffer Out {{ uvec4 o[]; }};
void main() {{ o[gl_VertexIndex] = {to_words}; gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 1; }}
END
SHADER fragment nothing GLSL
#version 450
layout(location = 0) out vec4 c;
void main() {{ c = vec4(0); }}
END
BUFFER texels DATA_TYPE {format.name} SIZE {TEXELS} FILE BINARY texels
BUFFER listed DATA_TYPE {format.name} DATA {data} END
BUFFER words DATA_TYPE vec4<uint32> SIZE {TEXELS} FILE BINARY words
BUFFER by_vertex DATA_TYPE vec4<uint32> SIZE {TEXELS} FILL 0
BUFFER nothing_drawn FORMAT R8G8B8A8_UNORM
PIPELINE graphics vertices
  ATTACH reads_vertex
  ATTACH nothing
  VERTEX_DATA texels LOCATION 0
  FRAMEBUFFER_SIZE 4 4
  BIND BUFFER nothing_drawn AS color LOCATION 0
  BIND BUFFER by_vertex AS storage DESCRIPTOR_SET 0 BINDING 0
END
"""
    if format.mode != "SRGB":
        out += f"RUN vertices DRAW_ARRAY AS POINT_LIST START_IDX 0 COUNT {TEXELS}\n"
    if scaled:
        return out + "EXPECT listed EQ_BUFFER texels\n"
    out += f"""SHADER compute reads GLSL
#version 450
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x = {TEXELS}) in;
layout(set = 0, binding = 0) uniform {k}samplerBuffer b;
layout(set = 0, binding = 1) uniform {k}sampler2D t;
layout(set = 0, binding = 2) uniform {k}image2D m;
layout(set = 0, binding = 3) buffer A {{ uvec4 by_buffer[]; }};
layout(set = 0, binding = 4) buffer B {{ uvec4 by_texture[]; }};
layout(set = 0, binding = 5) buffer C {{ uvec4 by_image[]; }};
layout(set = 0, binding = 6) uniform {k}imageBuffer sb;
layout(set = 0, binding = 7) buffer D {{ uvec4 by_storage[]; }};
void main()
{{
    int i = int(gl_LocalInvocationIndex);
    {vector} v = texelFetch(b, i);
    by_buffer[i] = {to_words};
    v = texelFetch(t, ivec2(i % 8, i / 8), 0);
    by_texture[i] = {to_words};
    v = imageLoad(m, ivec2(i % 8, i / 8));
    by_image[i] = {to_words};
    v = imageLoad(sb, i);
    by_storage[i] = {to_words};
}}
END
SHADER compute stores GLSL
#version 450
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x = {TEXELS}) in;
layout(set = 0, binding = 0) buffer W {{ uvec4 words[]; }};
layout(set = 0, binding = 1) uniform writeonly {k}imageBuffer b;
layout(set = 0, binding = 2) uniform writeonly {k}image2D m;
void main()
{{
    int i = int(gl_LocalInvocationIndex);
    uvec4 w = words[i];
    imageStore(b, i, {from_words});
    imageStore(m, ivec2(i % 8, i / 8), {from_words});
}}
END
SHADER fragment draws GLSL
#version 450
layout(location = 0) out {vector} c;
layout(set = 0, binding = 0) buffer W {{ uvec4 words[]; }};
void main() {{ uvec4 w = words[int(gl_FragCoord.x) + 8 * int(gl_FragCoord.y)]; c = {from_words}; }}
END
SAMPLER s
IMAGE texture FORMAT {format.name} DIM_2D WIDTH 8 HEIGHT 8 DATA {data} END
BUFFER stored_buffer DATA_TYPE {format.name} SIZE {TEXELS} FILL 0
IMAGE stored_image FORMAT {format.name} DIM_2D WIDTH 8 HEIGHT 8 FILL 0
BUFFER drawn FORMAT {format.name}
"""
    for name in ["by_buffer", "by_texture", "by_image", "by_storage"]:
        out += f"BUFFER {name} DATA_TYPE vec4<uint32> SIZE {TEXELS} FILL 0\n"
    out += f"""PIPELINE compute reading
  ATTACH reads
  BIND BUFFER texels AS uniform_texel_buffer DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER texture AS combined_image_sampler SAMPLER s DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER texture AS storage_image DESCRIPTOR_SET 0 BINDING 2
  BIND BUFFER by_buffer AS storage DESCRIPTOR_SET 0 BINDING 3
  BIND BUFFER by_texture AS storage DESCRIPTOR_SET 0 BINDING 4
  BIND BUFFER by_image AS storage DESCRIPTOR_SET 0 BINDING 5
  BIND BUFFER texels AS storage_texel_buffer DESCRIPTOR_SET 0 BINDING 6
  BIND BUFFER by_storage AS storage DESCRIPTOR_SET 0 BINDING 7
END
PIPELINE compute storing
  ATTACH stores
  BIND BUFFER words AS storage DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER stored_buffer AS storage_texel_buffer DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER stored_image AS storage_image DESCRIPTOR_SET 0 BINDING 2
END
PIPELINE graphics drawing
  ATTACH quad
  ATTACH draws
  FRAMEBUFFER_SIZE 8 8
  BIND BUFFER drawn AS color LOCATION 0
  BIND BUFFER words AS storage DESCRIPTOR_SET 0 BINDING 0
END
RUN reading 1 1 1
RUN storing 1 1 1
RUN drawing DRAW_RECT POS 0 0 SIZE 8 8
"""
    return out + "EXPECT listed EQ_BUFFER texels\n"


def format_data(format, texel):
    """A texel as AmberScript's DATA takes it: packed ones in one number, others a number for each component."""
    if format.packed:
        return hex(texel)
    out = []
    for letter, bits in format.parts:
        raw = format.split(texel)[letter][0]
        if format.mode == "SFLOAT":
            out.append(repr(float(format.meaning(letter, raw, bits))))
        else:
            out.append(str(format.signed(raw, bits) if format.mode in ("SNORM", "SINT", "SSCALED") else raw))
    return " ".join(out)


class Tests:
    def __init__(self, weft, engine, many):
        self.weft, self.engine, self.many, self.count, self.failed = weft, engine, many, 0, 0
        self.binaries = {}

    def report(self, name, faults):
        self.count += 1
        self.failed += bool(faults)
        print(f"{'not ok' if faults else 'ok'} {self.count} {name}", flush=True)
        for fault in faults[:6]:
            print(f"# {fault}")

    def compiled(self, job, folder):
        """The job with its GLSL as files of words, each text compiled once: the same few programs serve all formats,
        and glslang takes longer to begin than weft for all else."""
        def binary(shader):
            stage, name, text = shader.groups()
            if (stage, text) not in self.binaries:
                ending = {"vertex": "vert", "fragment": "frag", "compute": "comp"}[stage]
                path = os.path.join(folder, "shader." + ending)
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
                words = f"{len(self.binaries)}.spv"
                subprocess.run([self.weft, "asm", path, "-o", os.path.join(folder, words)], timeout=60, check=True)
                self.binaries[stage, text] = words
            return f"SHADER {stage} {name} SPIRV-BIN FILE {self.binaries[stage, text]}\n"

        return re.sub(r"^SHADER (\w+) (\w+) GLSL\n(.*?)^END\n", binary, job, flags=re.M | re.S)

    def run(self, format, folder):
        numbers = random.Random(format.name)
        texels = [format.random_texel(numbers) for _ in range(TEXELS)]
        with open(os.path.join(folder, "texels"), "wb") as f:
            f.write(b"".join(format.bytes_of(t) for t in texels))
        wanted = [format.random_texel(numbers) for _ in range(TEXELS)]
        with open(os.path.join(folder, "words"), "wb") as f:
            for t in wanted:
                f.write(struct.pack("<4I", *(word_of(format, e) for e in format.read(t))))
        path = os.path.join(folder, "job.amber")
        with open(path, "w", encoding="utf-8") as f:
            f.write(self.compiled(job(format, texels), folder) if self.many else job(format, texels))
        scaled = format.mode in ("USCALED", "SSCALED")
        reads = [] if format.mode == "SRGB" else ["by_vertex"]
        stores = []
        if not scaled:
            reads += ["by_buffer", "by_texture", "by_image", "by_storage"]
            stores = ["stored_buffer", "stored_image", "drawn"]
        command = [self.weft, "run", path, "--engine", self.engine]
        for name in reads + stores:
            command += ["--dump", f"{name}={os.path.join(folder, name + '.raw')}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        faults = done.stderr.splitlines() if done.returncode else []
        if not faults:
            for name in reads:
                seen = tight(format, texels) if name in ("by_buffer", "by_storage") else texels
                faults += self.compare_read(format, seen, name, os.path.join(folder, name + ".raw"))
            for name in stores:
                faults += self.compare_stored(format, wanted, name, os.path.join(folder, name + ".raw"))
        self.report(format.name, faults)

    @staticmethod
    def compare_read(format, texels, name, path):
        with open(path, "rb") as f:
            got = struct.unpack(f"<{4 * TEXELS}I", f.read())
        faults = []
        for i, texel in enumerate(texels):
            for c, exact in enumerate(format.read(texel)):
                if exact is not None and not near(format, "RGBA"[c], got[4 * i + c], exact):
                    faults.append(f"{name}: texel {texel:#x} at {i}: {'RGBA'[c]} is {got[4 * i + c]:#x}, "
                                  f"and it should be {float(exact)}")
        return faults

    @staticmethod
    def compare_stored(format, wanted, name, path):
        with open(path, "rb") as f:
            got = f.read()
        size = format.size if name == "stored_buffer" else len(got) // TEXELS
        stored = [int.from_bytes(got[size * i:size * i + format.size], "little") for i in range(TEXELS)]
        return [f"{name}: texel {i} is {stored[i]:#x}, and it should be {texel:#x}"
                for i, texel in enumerate(wanted) if stored[i] != texel and not format.same(stored[i], texel)]


def main():
    only = sys.argv[3:]
    tests = Tests(sys.argv[1], sys.argv[2], many=not only)
    with tempfile.TemporaryDirectory() as folder:
        for name in [n for n in NAMES if n in only] if only else sample.of_this_turn(NAMES, sample.FEW):
            tests.run(Format(name), folder)
    print(f"1..{tests.count}")
    return tests.failed != 0


sys.exit(main())
