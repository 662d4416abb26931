#!/usr/bin/env python3
"""reconvergence.py WEFT ENGINE COUNT - lanes part and meet again where the source says: random programs in GLSL with
branches, loops, switches, break, continue and return mix the lanes that run with them into a number per lane. What it
must be comes from running the tree of the program here on sets of lanes, which knows no blocks."""
import os
import random
import subprocess
import sys
import tempfile

LANES = 64
WORD = 0xffffffff
ALL = frozenset(range(LANES))


class Program:
    """A random program as a tree: ("mix", k), ("if", condition, then, otherwise), ("loop", kind, turns, body),
    ("switch", condition, cases), ("break",), ("continue",), ("return",), ("call", number)."""

    def __init__(self, random_numbers):
        self.r = random_numbers
        self.loops = 0
        self.functions = []
        for _ in range(self.r.randrange(3)):
            self.functions.append(self.block(2, False, len(self.functions)))
        self.main = self.block(4, False, len(self.functions), True)

    def condition(self):
        """(me * a + h' * b + turns * c) % m < t: lanes, what was mixed so far, and turns of the loop."""
        m = self.r.choice([2, 3, 4, 5, 7])
        return (self.r.randrange(8), self.r.randrange(2), self.r.randrange(4), m, self.r.randrange(1, m))

    def block(self, depth, in_loop, callable_functions, is_main=False):
        statements = []
        for _ in range(self.r.randrange(1, 4)):
            statements.append(("mix", self.r.randrange(1 << 16)))
            kind = self.r.randrange(10)
            if depth and kind < 3:
                statements.append(("if", self.condition(), self.block(depth - 1, in_loop, callable_functions, is_main),
                                   self.block(depth - 1, in_loop, callable_functions, is_main)
                                   if self.r.randrange(2) else []))
            elif depth and kind < 6:
                self.loops += 1
                statements.append(("loop", self.r.randrange(3), self.loops, self.condition(), self.r.randrange(1, 6),
                                   self.block(depth - 1, True, callable_functions, is_main)))
            elif depth and kind == 6:
                statements.append(("switch", self.condition(),
                                   [self.block(depth - 1, False, callable_functions, is_main)
                                    for _ in range(self.r.randrange(1, 4))]))
            elif kind == 7 and callable_functions:
                statements.append(("call", self.r.randrange(callable_functions)))
            elif kind == 8 and in_loop:
                statements.append(("if", self.condition(),
                                   [("mix", self.r.randrange(1 << 16)), (self.r.choice(["break", "continue"]),)],
                                   [("mix", 1), ("break",)] if self.r.randrange(4) == 0 else []))
            elif kind == 9 and depth < 4 and self.r.randrange(3) == 0:
                statements.append(("if", self.condition(), [("return",)], []))
        return statements

    # ---- as GLSL ----

    def text_of(self, statements, turns, indent):
        pad = " " * indent
        out = ""
        for s in statements:
            if s[0] == "mix":
                out += f"{pad}mix_lanes({s[1]}u);\n"
            elif s[0] == "if":
                out += f"{pad}if ({self.test(s[1], turns)}) {{\n{self.text_of(s[2], turns, indent + 4)}{pad}}}"
                out += f" else {{\n{self.text_of(s[3], turns, indent + 4)}{pad}}}\n" if s[3] else "\n"
            elif s[0] == "loop":
                out += self.loop_text(s, turns, indent)
            elif s[0] == "switch":
                a, b, c, m, t = s[1]
                out += f"{pad}switch ((me * {a + 1}u + {turns} * {c}u) % {len(s[2]) + 1}u) {{\n"
                for number, case in enumerate(s[2]):
                    out += f"{pad}case {number}u:\n{self.text_of(case, turns, indent + 4)}{pad}    break;\n"
                out += f"{pad}}}\n"
            elif s[0] == "call":
                out += f"{pad}f{s[1]}();\n"
            else:
                out += f"{pad}{s[0]};\n"
        return out

    def loop_text(self, s, turns, indent):
        pad = " " * indent
        _, kind, number, condition, limit, body = s
        i = f"i{number}"
        bound = f"{i} < (me * {condition[0] + 1}u) % {limit + 1}u + 1u"
        inner = self.text_of(body, i, indent + 4)
        if kind == 0:
            return f"{pad}for (uint {i} = 0u; {bound}; {i}++) {{\n{inner}{pad}}}\n"
        if kind == 1:
            return (f"{pad}uint {i} = 0u;\n{pad}for (;; {i}++) {{\n{pad}    if (!({bound}))\n{pad}        break;\n"
                    f"{inner}{pad}}}\n")
        return f"{pad}uint {i} = 0u;\n{pad}do {{\n{inner}{pad}}} while (++{i}, {bound});\n"

    @staticmethod
    def test(condition, turns):
        a, b, c, m, t = condition
        return f"(me * {a}u + (h >> 7) * {b}u + {turns} * {c}u) % {m}u < {t}u"

    def text(self):
        out = "#version 450\n#extension GL_KHR_shader_subgroup_ballot : require\nlayout(local_size_x = 64) in;\n"
        out += "layout(set = 0, binding = 0) buffer Out { uint o[]; };\n"
        out += "uint me = gl_LocalInvocationIndex, h = 1u;\nvoid mix_lanes(uint k)\n{\n"
        out += "    uvec4 lanes = subgroupBallot(true);\n    h = h * 1664525u + (lanes.x ^ lanes.y * 40503u) + k;\n}\n"
        for number, body in enumerate(self.functions):
            out += f"void f{number}()\n{{\n{self.text_of(body, '0u', 4)}}}\n"
        out += f"void body()\n{{\n{self.text_of(self.main, '0u', 4)}}}\n"
        return out + "void main()\n{\n    body();\n    mix_lanes(7u);\n    o[me] = h;\n}\n"

    # ---- run on sets of lanes ----

    def run(self):
        self.h = [1] * LANES
        self.steps = 0
        self.execute(self.main, ALL, {}, {})
        self.mix(7, ALL)
        return self.h

    def mix(self, k, lanes):
        bits = sum(1 << lane for lane in lanes)
        mixed = (bits & WORD) ^ ((bits >> 32) * 40503 & WORD)
        self.steps += 1
        for lane in lanes:
            self.h[lane] = (self.h[lane] * 1664525 + mixed + k) & WORD

    def holds(self, condition, lane, turns):
        a, b, c, m, t = condition
        return (lane * a + (self.h[lane] >> 7) * b + turns.get(lane, 0) * c & WORD) % m < t

    def execute(self, statements, lanes, left, turns):
        """Which of the lanes come to the end; the others are in left["break"], ["continue"] and ["return"]."""
        for s in statements:
            if not lanes:
                break
            if s[0] == "mix":
                self.mix(s[1], lanes)
            elif s[0] == "if":
                yes = frozenset(lane for lane in lanes if self.holds(s[1], lane, turns))
                lanes = self.execute(s[2], yes, left, turns) | self.execute(s[3], lanes - yes, left, turns)
            elif s[0] == "loop":
                lanes = self.loop(s, lanes, left)
            elif s[0] == "switch":
                together = frozenset()
                value = {lane: (lane * (s[1][0] + 1) + turns.get(lane, 0) * s[1][2]) % (len(s[2]) + 1)
                         for lane in lanes}
                for number in range(len(s[2]) + 1):
                    some = frozenset(lane for lane in lanes if value[lane] == number)
                    together |= self.execute(s[2][number], some, left, turns) if number < len(s[2]) else some
                lanes = together
            elif s[0] == "call":
                inside = {}
                lanes = self.execute(self.functions[s[1]], lanes, inside, {}) | inside.get("return", frozenset())
            else:
                left[s[0]] = left.get(s[0], frozenset()) | lanes
                lanes = frozenset()
        return lanes

    def loop(self, s, lanes, left):
        _, kind, _, condition, limit, body = s
        turns = {lane: 0 for lane in lanes}
        after = frozenset()

        def goes_on(some):
            return frozenset(lane for lane in some if turns[lane] < lane * (condition[0] + 1) % (limit + 1) + 1)

        running = lanes
        if kind != 2:
            after |= running - goes_on(running)
            running = goes_on(running)
        while running:
            inside = {}
            end = self.execute(body, running, inside, turns) | inside.get("continue", frozenset())
            after |= inside.get("break", frozenset())
            left["return"] = left.get("return", frozenset()) | inside.get("return", frozenset())
            for lane in end:
                turns[lane] += 1
            running = goes_on(end)
            after |= end - running
        return after


def job_of(programs):
    out = "#!amber\n"
    for number, program in enumerate(programs):
        want = " ".join(str(h) for h in program.run())
        out += f"SHADER compute s{number} GLSL TARGET_ENV spv1.3\n{program.text()}END\n"
        out += f"BUFFER o{number} DATA_TYPE uint32 SIZE {LANES} FILL 0\nPIPELINE compute p{number}\n"
        out += f"  ATTACH s{number}\n  BIND BUFFER o{number} AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\n"
        out += f"RUN p{number} 1 1 1\nEXPECT o{number} IDX 0 EQ {want}\n"
    return out


def main():
    weft, engine = sys.argv[1], sys.argv[2]
    seed = int(os.environ.get("WEFT_TEST_SEED") or random.randrange(1 << 30))
    count = int(sys.argv[3]) * (20 if os.environ.get("WEFT_TEST_ALL") else 1)
    numbers = random.Random(seed)
    programs = [Program(random.Random(numbers.randrange(1 << 60))) for _ in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "lanes.amber")
        with open(path, "w", encoding="utf-8") as f:
            f.write(job_of(programs))
        done = subprocess.run([weft, "run", "--engine", engine, path], capture_output=True, text=True, timeout=600)
        keep = os.environ.get("WEFT_TEST_KEEP")
        if keep:
            os.replace(path, keep)
    mixed = sum(p.steps for p in programs)
    print(f"# WEFT_TEST_SEED={seed}: {count} programs, lanes mixed {mixed} times")
    print(f"{'ok' if done.returncode == 0 and mixed > count else 'not ok'} 1 - lanes meet where the source says")
    for line in done.stderr.splitlines()[:20]:
        print("# " + line)
    print("1..1")
    return done.returncode != 0


sys.exit(main())
