#!/usr/bin/env python3
"""interfaces.py WEFT ENGINE [SEED...] - what a stage sends and the next one takes, in random types and places:
matrices, arrays, structures and blocks on one side; on the other the vectors that lie in their locations and
components, as worked out here (Vulkan's specification, "Location Assignment" and "Component Assignment")."""
import os
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.dont_write_bytecode = True
import sample

PROGRAMS = 18
# GLSL's number, its vectors, its matrices, the components of one.
NUMBERS = [("float", "vec", "mat", 1), ("int", "ivec", None, 1), ("uint", "uvec", None, 1),
           ("double", "dvec", "dmat", 2)]
MOST = 15  # locations


class Item:
    """Something in a row of locations. runs: location, component and count of each vector in it, and the path to it;
    path: a name of a member, or an index."""

    def __init__(self, name, number, how):
        self.name, self.number, self.how = name, number, how
        self.type, self.sizes, self.runs, self.component, self.location, self.patch = "", "", [], 0, 0, False
        self.members = None

    def leaves(self):
        for location, component, count, path in self.runs:
            for c in range(count):
                yield location, component + c * self.number[3], path, c if count > 1 else None

    def plain_name(self, run):
        return f"{self.name}_{run[0]}_{run[1]}"


def vector(number, count):
    return number[0] if count == 1 else f"{number[1]}{count}"


def locations_of(number, count):
    return 2 if number[3] * count > 4 else 1


class Maker:
    def __init__(self, seed):
        self.numbers, self.location, self.patch_location, self.items = random.Random(seed), 0, MOST + 1, []

    def how(self, number):
        """The interpolation: the only one of integers and doubles is none."""
        if number[0] != "float":
            return "flat"
        return self.numbers.choice(["", "flat", "noperspective", "centroid", "sample"])

    def put(self, item, location, path, shape):
        """Vectors of one part: shape is (count, columns, sizes of arrays)."""
        count, columns, sizes = shape
        if sizes:
            for i in range(sizes[0]):
                location = self.put(item, location, path + (i,), (count, columns, sizes[1:]))
            return location
        for column in range(columns):
            item.runs.append((location, item.component, count, path + ((column,) if columns > 1 else ())))
            location += locations_of(item.number, count)
        return location

    def shape(self, number, most=4):
        matrix = number[2] and most == 4 and self.numbers.randrange(3) == 0
        count = self.numbers.randrange(2, 5) if matrix else self.numbers.randrange(1, most + 1)
        columns = self.numbers.randrange(2, 4) if matrix else 1
        sizes = [self.numbers.randrange(1, 4) for _ in range(self.numbers.choice([0, 0, 1, 1, 2]))]
        if columns * 2 * number[3] > 4:
            sizes = sizes[:1]
        return count, columns, sizes

    def type_of(self, number, shape):
        count, columns, sizes = shape
        name = f"{number[2]}{columns}x{count}" if columns > 1 else vector(number, count)
        return name, "".join(f"[{n}]" for n in sizes)

    def add(self, patch):
        number = self.numbers.choice(NUMBERS)
        item = Item(f"v{len(self.items)}", number, self.how(number))
        item.patch = patch
        item.location = self.patch_location if patch else self.location
        kind = self.numbers.randrange(4)
        end = item.location
        if kind == 0:  # a structure, or a block
            item.members = []
            item.block = self.numbers.randrange(2) == 0
            for i in range(self.numbers.randrange(1, 4)):
                shape = self.shape(number)
                item.members.append((f"m{i}",) + self.type_of(number, shape))
                end = self.put(item, end, (f"m{i}",), shape)
        elif kind == 1 and number[3] == 1:  # two in the same locations
            first = self.numbers.randrange(1, 4)
            sizes = [self.numbers.randrange(1, 4)]
            item.type, item.sizes = self.type_of(number, (first, 1, sizes))
            end = self.put(item, end, (), (first, 1, sizes))
            other = Item(f"v{len(self.items)}b", number, item.how)
            other.patch, other.location, other.component = patch, item.location, first
            shape = self.numbers.randrange(1, 5 - first), 1, [self.numbers.randrange(1, sizes[0] + 1)]
            other.type, other.sizes = self.type_of(number, shape)
            self.put(other, item.location, (), shape)
            if end <= (2 * MOST if patch else MOST):
                self.items.append(other)
        else:
            shape = self.shape(number)
            item.type, item.sizes = self.type_of(number, shape)
            end = self.put(item, end, (), shape)
        if end > (2 * MOST if patch else MOST):
            return False
        self.items.append(item)
        if patch:
            self.patch_location = end
        else:
            self.location = end
        return True


def value_of(k, vertex):
    return 1 + k + 300 * vertex


class Program:
    def __init__(self, seed):
        maker = Maker(seed)
        self.numbers = maker.numbers
        self.kind = ("fragment", "geometry", "tessellation")[seed % 3]
        while maker.add(False):
            pass
        while self.kind == "tessellation" and maker.add(True):
            pass
        self.items = maker.items
        self.whole_sends = seed // 3 % 2 == 0

    def count(self):
        return sum(len(list(i.leaves())) for i in self.items)

    def declarations(self, whole, direction, arrayed, fragment):
        """The items of one side. arrayed: they have an element for each vertex."""
        out = []
        for item in self.items:
            each = "[]" if arrayed and not item.patch else ""
            if item.patch and not arrayed:
                continue
            how = f"{item.how} " if fragment and item.how else ""
            how = ("patch " if item.patch else how) + direction
            if not whole:
                for run in item.runs:
                    component = f", component = {run[1]}" if run[1] else ""
                    out.append(f"layout(location = {run[0]}{component}) {how} {vector(item.number, run[2])} "
                               f"{item.plain_name(run)}{each};")
            elif item.members and item.block:
                how = f"{item.how} " if fragment and item.how else ""
                members = " ".join(f"{how}{t} {n}{s};" for n, t, s in item.members)
                out.append(f"layout(location = {item.location}) {'patch ' * item.patch}{direction} B{item.name} "
                           f"{{ {members} }} {item.name}{each};")
            elif item.members:
                members = " ".join(f"{t} {n}{s};" for n, t, s in item.members)
                out.append(f"struct T{item.name} {{ {members} }};")
                out.append(f"layout(location = {item.location}) {how} T{item.name} {item.name}{each};")
            else:
                component = f", component = {item.component}" if item.component else ""
                out.append(f"layout(location = {item.location}{component}) {how} {item.type} "
                           f"{item.name}{each}{item.sizes};")
        return out

    def index(self, i):
        return f"[{i} + z]" if self.numbers.randrange(2) else f"[{i}]"

    def places(self, whole, vertex):
        """Each number: its item and how to reach it. vertex: the index of the vertex, or nothing."""
        for item in self.items:
            of_vertex = "" if item.patch else vertex
            for run in item.runs:
                for c in range(run[2]):
                    last = self.index(c) if run[2] > 1 else ""
                    steps = "".join(f".{s}" if isinstance(s, str) else self.index(s) for s in run[3])
                    yield item, (f"{item.name}{of_vertex}{steps}{last}" if whole
                                 else f"{item.plain_name(run)}{of_vertex}{last}")

    def sends(self, vertex, number):
        """Statements that write all outputs; number: that of the vertex."""
        out = []
        for k, (item, place) in enumerate(self.places(self.whole_sends, vertex)):
            if item.patch and not vertex:
                continue
            by = "0" if item.patch or self.smooth(item) else number
            out.append(f"{place} = {item.number[0]}({value_of(k, 0)} + 300 * {by});")
        return out

    def smooth(self, item):
        """Its value is that of all vertices."""
        return self.kind == "fragment" and item.how != "flat"

    def takes(self, vertex, base):
        return [f"o.v[{base} + {k}] = uint({place});"
                for k, (item, place) in enumerate(self.places(not self.whole_sends, vertex))]

    def shaders(self):
        head = ["#version 450", "layout(set = 0, binding = 0) buffer O { uint v[]; } o;",
                "layout(set = 0, binding = 1) buffer Z { uint zero; };"]
        begin = ["void main()", "{", "uint z = zero;"]
        position = "gl_Position = vec4[3](vec4(-1, -1, 0, 1), vec4(3, -1, 0, 1), vec4(-1, 3, 0, 1))[gl_VertexIndex];"
        fragment = self.kind == "fragment"
        n = self.count()
        simple = ["#version 450", "layout(location = 0) out vec4 c;", "void main() { c = vec4(1); }"]
        sender = head + self.declarations(self.whole_sends, "out", False, fragment) + begin + \
            self.sends("", "gl_VertexIndex") + [position, "}"]
        if fragment:
            return {"vertex": sender, "fragment": head + self.declarations(not self.whole_sends, "in", False, True) +
                    ["layout(location = 0) out vec4 c;"] + begin + ["c = vec4(1);",
                     "if (ivec2(gl_FragCoord.xy) == ivec2(1)) {"] + self.takes("", "0") + ["}", "}"]}
        if self.kind == "geometry":
            return {"vertex": sender, "geometry": head + ["layout(triangles) in;",
                    "layout(points, max_vertices = 1) out;"] +
                    self.declarations(not self.whole_sends, "in", True, False) + begin +
                    ["for (int i = 0; i < 3; i++) {"] + self.takes("[i]", f"i * {n}") +
                    ["}", "gl_Position = vec4(0, 0, 0, 1);", "EmitVertex();", "}"], "fragment": simple}
        control = head + ["layout(vertices = 3) out;"] + \
            self.declarations(self.whole_sends, "out", True, False) + begin + \
            ["gl_TessLevelOuter = float[4](1, 1, 1, 1);", "gl_TessLevelInner = float[2](1, 1);"] + \
            self.sends("[gl_InvocationID]", "gl_InvocationID") + ["}"]
        evaluation = head + ["layout(triangles) in;"] + self.declarations(not self.whole_sends, "in", True, False) + \
            begin + ["gl_Position = vec4(0);", "for (int i = 0; i < 3; i++) {"] + \
            self.takes("[i]", f"i * {n}") + ["}", "}"]
        return {"vertex": ["#version 450", "void main()", "{", position, "}"], "tessellation_control": control,
                "tessellation_evaluation": evaluation, "fragment": simple}

    def wanted(self):
        flat = [(k, item) for k, (item, _) in enumerate(self.places(False, ""))]
        vertices = 1 if self.kind == "fragment" else 3
        return [value_of(k, 0 if item.patch else i) for i in range(vertices) for k, item in flat]

    def job(self):
        lines = ["#!amber"]
        shaders = self.shaders()
        for stage, text in shaders.items():
            lines += [f"SHADER {stage} {stage} GLSL"] + text + ["END"]
        lines += [f"BUFFER o DATA_TYPE uint32 SIZE {3 * self.count()} FILL 0", "BUFFER z DATA_TYPE uint32 DATA 0 END",
                  "BUFFER picture FORMAT R8G8B8A8_UNORM", "PIPELINE graphics p"]
        lines += [f"  ATTACH {stage}" for stage in shaders]
        lines += ["  FRAMEBUFFER_SIZE 4 4", "  BIND BUFFER picture AS color LOCATION 0",
                  "  BIND BUFFER o AS storage DESCRIPTOR_SET 0 BINDING 0",
                  "  BIND BUFFER z AS storage DESCRIPTOR_SET 0 BINDING 1"]
        if self.kind == "tessellation":
            lines.append("  PATCH_CONTROL_POINTS 3")
        lines += ["END", f"RUN p DRAW_ARRAY AS {'PATCH' if self.kind == 'tessellation' else 'TRIANGLE'}_LIST "
                  "START_IDX 0 COUNT 3"]
        return "\n".join(lines) + "\n"


def main():
    weft, engine = sys.argv[1:3]
    seeds = [int(s) for s in sys.argv[3:]] or sample.of_this_turn(range(1, PROGRAMS + 1), sample.FEW)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for count, seed in enumerate(seeds, 1):
            program = Program(seed)
            path, dumped = os.path.join(folder, "job.amber"), os.path.join(folder, "o.raw")
            with open(path, "w", encoding="utf-8") as f:
                f.write(program.job())
            done = subprocess.run([weft, "run", path, "--engine", engine, "--dump", f"o={dumped}"], capture_output=True,
                                  text=True, timeout=60, check=False)
            problem = done.stderr.strip() if done.returncode else ""
            if not problem:
                wanted = program.wanted()
                with open(dumped, "rb") as f:
                    got = struct.unpack(f"<{3 * program.count()}I", f.read())[:len(wanted)]
                wrong = [k for k, value in enumerate(wanted) if got[k] != value]
                if wrong:
                    item, place = list(program.places(not program.whole_sends, ""))[wrong[0] % program.count()]
                    problem = f"{place} is {got[wrong[0]]}, not {wanted[wrong[0]]}; {len(wrong)} are wrong"
            failed += bool(problem)
            print(f"{'not ok' if problem else 'ok'} {count} program {seed}, {program.kind}", flush=True)
            if problem:
                print("# " + problem.replace("\n", "\n# "))
    print(f"1..{len(seeds)}")
    return failed != 0


sys.exit(main())
