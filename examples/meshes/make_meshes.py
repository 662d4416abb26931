#!/usr/bin/env python3
"""Make the meshes of the examples: torus-vertices.txt and torus-indices.txt.

A line of the vertices has the position, the first texture coordinate, the normal and the second texture coordinate of
one vertex: two attributes of four numbers. A line of the indices has the two triangles of one patch. Nothing beyond
Python's standard library is needed:  cd examples/meshes && python3 make_meshes.py
"""

import math

AROUND, ACROSS = 32, 16         # patches around the axis, and around the tube
RING, TUBE = 0.66, 0.32         # radii


def vertex(i, j):
    """Vertex j of the circle at step i: both ends of a circle are the same place with other texture coordinates."""
    u, v = i / AROUND, j / ACROSS
    a, b = 2 * math.pi * u, 2 * math.pi * v
    normal = (math.cos(b) * math.cos(a), math.sin(b), math.cos(b) * math.sin(a))
    place = (RING * math.cos(a) + TUBE * normal[0], TUBE * normal[1], RING * math.sin(a) + TUBE * normal[2])
    return (*place, u, *normal, v)


def patch(i, j):
    a = i * (ACROSS + 1) + j
    b = a + ACROSS + 1
    return (a, a + 1, b, b, a + 1, b + 1)


with open("torus-vertices.txt", "w", encoding="ascii") as out:
    for i in range(AROUND + 1):
        for j in range(ACROSS + 1):
            print(*(f"{round(x, 6) + 0.0:.6f}" for x in vertex(i, j)), file=out)
with open("torus-indices.txt", "w", encoding="ascii") as out:
    for i in range(AROUND):
        for j in range(ACROSS):
            print(*patch(i, j), file=out)
