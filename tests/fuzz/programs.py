#!/usr/bin/env python3
"""programs.py SEED FOLDER - write a random program as C (program.c in FOLDER) and as a job with GLSL (program.amber).

The job lacks the numbers to expect, which the C program prints: tests/fuzz/programs adds them.

The statements are the same text in both languages: numbers of 32 bits without a sign, loops of every kind, switches
whose cases fall through, early ends, functions in one another, arrays at computed places. Much of it changes no
meaning, in the way that GraphicsFuzz changes shaders: `one` is 1 in memory, which no compiler knows, so
`if (one == 0u)` is dead code that remains, a loop up to `one` runs once, and `5u + one - 1u` is a constant. Pipelines
of the job have the shader as it is, and as passes of SPIRV-Tools' optimiser make it, which are chosen at random.
"""
import random
import sys

VARIANTS = 3
PASSES = '''
eliminate-local-multi-store inline-entry-points-exhaustive merge-return eliminate-dead-branches if-conversion
simplify-instructions merge-blocks loop-unroll private-to-local eliminate-dead-code-aggressive redundancy-elimination
loop-peeling scalar-replacement=100 ccp eliminate-local-single-block eliminate-local-single-store copy-propagate-arrays
cfg-cleanup code-sink vector-dce loop-unswitch reduce-load-size combine-access-chains strength-reduction ssa-rewrite
convert-local-access-chains eliminate-dead-inserts eliminate-dead-const'''.split()
NAMES = ['a', 'b', 'c', 'd']


class Program:
    """What is being made. `loop` and `switch` say whether a statement is inside of one, `function` its function."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0
        self.functions = []

    def below(self, n):
        return self.random.randrange(n)

    def any(self, *choices):
        return self.random.choice(choices)

    def fresh(self, letter):
        self.names += 1
        return '%s%d' % (letter, self.names)

    def constant(self, n):
        return '%du' % n if self.below(4) else '(%du + one - 1u)' % n

    def value(self, depth=2):
        kind = self.below(9)
        if depth == 0 or kind < 2:
            return self.any(*NAMES, 'id', self.constant(self.below(20)))
        deeper = depth - 1
        if kind == 2:
            return 'list[(%s) & 7u]' % self.value(deeper)
        if kind == 3:
            return '(%s %s (%s | 1u))' % (self.value(deeper), self.any('/', '%'), self.value(deeper))
        if kind == 4:
            return '(%s ? %s : %s)' % (self.condition(deeper), self.value(deeper), self.value(deeper))
        if kind == 5:
            return '(%s %s (%s & 31u))' % (self.value(deeper), self.any('>>', '<<'), self.value(deeper))
        return '(%s %s %s)' % (self.value(deeper), self.any('+', '-', '*', '^', '&', '|'), self.value(deeper))

    def condition(self, depth=1):
        kind = self.below(9)
        if kind == 0:
            return self.any('true', 'false', 'one == 1u', 'one == 0u')
        if kind == 1:
            return '(%s %s %s)' % (self.condition(0), self.any('&&', '||'), self.condition(0))
        if kind == 2:
            return '(%s & 1u) == 0u' % self.value(depth)
        if kind == 3:
            return '(id & %du) != 0u' % self.any(1, 2, 4, 8)
        return '(%s & 15u) %s %s' % (self.value(depth), self.any('<', '>', '==', '!=', '>='),
                                     self.constant(self.below(16)))

    def assignment(self):
        if self.below(5) == 0:
            return 'list[(%s) & 7u] = %s;' % (self.value(1), self.value())
        return '%s %s %s;' % (self.any(*NAMES), self.any('=', '+=', '^=', '*=', '-='), self.value())

    def end(self, function):
        return 'return %s;' % self.value(1) if function else '{ results[id] = a; return; }'

    def block(self, depth, loop, switch, function):
        some = [self.statement(depth, loop, switch, function) for _ in range(1 + self.below(3))]
        return '{ %s }' % ' '.join(some)

    def simple(self, loop, switch, function):
        kind = self.below(12)
        if kind == 0 and loop:
            return 'if (%s) { %s continue; }' % (self.condition(), self.assignment() if self.below(2) else '')
        if kind == 1 and (loop or switch):
            return 'if (%s) break;' % self.condition()
        if kind == 2:
            return 'if (%s) %s' % (self.condition(), self.end(function))
        if kind == 3 and loop and self.below(3) == 0:
            return self.any('break;', 'continue;')
        if kind == 4 and self.functions and not function:
            return '%s = %s(%s, %s, id, one);' % (self.any(*NAMES), self.any(*self.functions), self.value(1),
                                                  self.value(1))
        return self.assignment()

    def loop(self, depth, function):
        kind, count, name = self.below(5), 1 + self.below(6), self.fresh('k')
        inside = self.statement(depth - 1, True, False, function)
        if kind == 0:
            return 'uint %s = 0u; while (%s++ < %du) { if (%s) break; %s }' % (
                name, name, count, self.condition(), inside)
        if kind == 1:
            return 'uint %s = 0u; do { %s += 1u; %s } while ((%s) && %s < 5u);' % (name, name, inside, self.condition(),
                                                                                  name)
        if kind == 2:
            return 'for (uint %s = 0u; ; %s += 1u) { if (%s >= %du) { %s break; } %s }' % (
                name, name, name, count, self.assignment(), inside)
        limit = self.any('%du' % count, '((%s & 3u) + one)' % self.any(*NAMES, 'id'), 'one')
        return 'for (uint %s = 0u; %s < %s && %s < 6u; %s++) %s' % (
            name, name, limit, name, name, self.block(depth - 1, True, False, function))

    def switch(self, depth, loop, function):
        numbers = self.random.sample(range(8), 1 + self.below(4))
        default = self.below(len(numbers) + 2)
        text = 'switch (int(%s & 7u)) { ' % self.value(1)
        for place, number in enumerate(numbers):
            text += 'default: ' if place == default else ''
            text += 'case %d: ' % number
            text += self.block(depth - 1, loop, True, function) + ' ' if self.below(5) else ''
            text += self.any('', 'break; ', 'continue; ' if loop and self.below(4) == 0 else 'break; ')
        text += 'default: %s' % self.block(depth - 1, loop, True, function) if default == len(numbers) else ''
        return text + ' break; }'

    def statement(self, depth, loop, switch, function):
        kind = self.below(16)
        if depth <= 0 or kind < 5:
            return self.simple(loop, switch, function)
        if kind < 8:
            otherwise = ' else ' + self.block(depth - 1, loop, switch, function) if self.below(2) else ''
            return 'if (%s) %s%s' % (self.condition(), self.block(depth - 1, loop, switch, function), otherwise)
        if kind == 8:  # dead, or run once
            return self.any('if (one == 0u) %s', 'if (one != 0u) %s', 'if (id >= 64u * one) %s') % self.block(
                depth - 1, loop, switch, function)
        if kind == 9:
            return 'do %s while (one == 0u);' % self.block(depth - 1, True, False, function)
        if kind < 12:
            return self.switch(depth, loop, function)
        return self.loop(depth, function)

    def body(self, depth, function):
        return ' '.join(self.statement(depth, False, False, function) for _ in range(2 + self.below(4)))

    def text(self):
        text, locals_ = '', 'uint list[8]; for (int k = 0; k < 8; k++) list[k] = uint(k) * %s;'
        for n in range(self.below(3)):
            name = 'function%d' % n
            text += 'uint %s(uint a, uint b, uint id, uint one)\n{ uint c = a * 3u, d = b ^ 5u; %s\n  %s\n' % (
                name, locals_ % 'b', self.body(3, name))
            text += '  return a + b * 7u + c * 11u + d; }\n'
            self.functions.append(name)
        text += 'void program(uint id, uint one)\n{ uint a = id, b = id * 7u, c = 3u, d = id >> 2u; %s\n  %s\n' % (
            locals_ % '5u', self.body(4, None))
        return text + ('  uint sum = a + 3u * b + 5u * c + 7u * d;\n'
                       '  for (int k = 0; k < 8; k++) sum = sum * 31u + list[k];\n  results[id] = sum; }\n')


def in_c(text):
    return ('/* program.c - made by tests/fuzz/programs.py. */\n#include <stdbool.h>\n#include <stdio.h>\n'
            'typedef unsigned uint;\nstatic uint results[64];\n' +
            text.replace('uint(k)', '(uint)k').replace('int(', '(int)(').replace('f(int)(', 'fint(') +
            'int main(void)\n{ for (uint id = 0; id < 64; id++) program(id, 1);\n'
            '  for (int i = 0; i < 64; i++) printf(" %u", results[i]);\n  return 0; }\n')


def in_amber(program, text, seed):
    job = '#!amber\n# program.amber - made by tests/fuzz/programs.py %d.\n' % seed
    job += 'SHADER compute random GLSL\n#version 450\n'
    job += ('layout(local_size_x = 16) in;\nlayout(set = 0, binding = 0) buffer Results { uint results[]; };\n'
            'layout(set = 0, binding = 1) uniform One { uint in_memory; };\n%s'
            'void main() { program(gl_GlobalInvocationID.x, in_memory); }\nEND\n'
            'BUFFER one DATA_TYPE uint32 DATA 1 END\n' % text)
    for n in range(VARIANTS):
        passes = program.random.sample(PASSES, 1 + program.below(8))
        job += 'BUFFER results%d DATA_TYPE uint32 SIZE 64 FILL 0\n' % n
        job += 'PIPELINE compute variant%d\n  ATTACH random\n' % n
        if n:
            job += '  SHADER_OPTIMIZATION random\n%s  END\n' % ''.join('    --%s\n' % p for p in passes)
        job += '  BIND BUFFER results%d AS storage DESCRIPTOR_SET 0 BINDING 0\n' % n
        job += '  BIND BUFFER one AS uniform DESCRIPTOR_SET 0 BINDING 1\nEND\nRUN variant%d 4 1 1\n' % n
    return job


def main():
    seed, folder = int(sys.argv[1]), sys.argv[2]
    program = Program(seed)
    text = program.text()
    with open(folder + '/program.c', 'w', encoding='ascii') as c:
        c.write(in_c(text))
    with open(folder + '/program.amber', 'w', encoding='ascii') as job:
        job.write(in_amber(program, text, seed))


main()
