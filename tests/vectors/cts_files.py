#!/usr/bin/env python3
"""cts_files.py FOLDER - files of our own for scripts whose own are not among the vectors: input.txt, patterns of 1296
floats, and grid_vertices.txt, the triangles of a grid of 36x36.

The scripts compare two ways to the same result, frexp with FrexpStruct and modf with ModfStruct, so any numbers do."""
import random
import sys

CORNERS = [0, 1, 0x7fffff, 0x800000, 0x3effffff, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x40490fdb, 0x4affffff, 0x4b000000,
           0x4b000001, 0x7f7fffff, 0x7f800000, 0x7fc00000]
CELLS, NUMBERS = 36, 1296


def patterns():
    chosen = random.Random(1)
    list_ = CORNERS + [c | 1 << 31 for c in CORNERS]
    return list_ + [chosen.getrandbits(32) for _ in range(NUMBERS - len(list_))]


def corners():
    edge = [2 * i / CELLS - 1 for i in range(CELLS + 1)]
    for y in range(CELLS):
        for x in range(CELLS):
            for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 0), (1, 1), (0, 1)):
                yield '%.6f %.6f' % (edge[x + dx], edge[y + dy])


def main():
    with open(sys.argv[1] + '/input.txt', 'w', encoding='ascii') as out:
        out.write('\n'.join('0x%08x' % p for p in patterns()) + '\n')
    with open(sys.argv[1] + '/grid_vertices.txt', 'w', encoding='ascii') as out:
        out.write('\n'.join(corners()) + '\n')


main()
