#!/usr/bin/env python3
"""Make the textures of the examples: tiles.png and stars.png, each 256x256 RGBA.

Nothing beyond Python's standard library is needed. The pictures are functions of the pixel alone, so the
files come out the same everywhere:  cd examples/textures && python3 make_textures.py
"""

import math
import struct
import zlib

SIZE = 256


def write_png(name, pixel):
    """Write pixel(x, y) -> (r, g, b, a), each 0..1, as an 8-bit RGBA PNG; y = 0 is the first row."""
    rows = bytearray()
    for y in range(SIZE):
        rows.append(0)  # no filter
        for x in range(SIZE):
            rows.extend(round(255 * min(max(c, 0.0), 1.0)) for c in pixel(x, y))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(name, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n")
        out.write(chunk(b"IHDR", struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)))
        out.write(chunk(b"IDAT", zlib.compress(bytes(rows), 9)))
        out.write(chunk(b"IEND", b""))


def noise(x, y):
    """A number in 0..1 for a point of the integer lattice."""
    h = (x * 73856093 ^ y * 19349663) & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0x5BD1E995 & 0xFFFFFFFF
    return (h ^ h >> 15) / 0xFFFFFFFF


def tiles(x, y):
    """A floor of 4 x 4 glazed tiles, dark and light in turn, with pale joints."""
    tile_x, tile_y = x // 64, y // 64
    fx, fy = x % 64 + 0.5 - 32, y % 64 + 0.5 - 32
    edge = 32 - max(abs(fx), abs(fy))
    if edge < 2:
        joint = 0.80
        return joint, joint * 0.98, joint * 0.94, 1.0
    shade = 0.92 + 0.16 * (noise(tile_x, tile_y) - 0.5)
    shade *= 0.85 + 0.15 * min(edge / 8, 1.0)  # darker where the glaze runs down to the joint
    if (tile_x + tile_y) % 2:
        red, green, blue = 0.16, 0.30, 0.38
    else:
        red, green, blue = 0.86, 0.80, 0.70
    ring = abs(math.hypot(fx, fy) - 17)
    if ring < 2.5:  # each tile wears a ring of the other colour
        red, green, blue = 0.80 * red + 0.25, 0.55 * green + 0.18, 0.45 * blue + 0.06
    return red * shade, green * shade, blue * shade, 1.0


def stars(x, y):
    """Sharp black and coloured shapes: a wheel of sixteen rays with rings across it."""
    dx, dy = x + 0.5 - 128, y + 0.5 - 128
    radius, angle = math.hypot(dx, dy), math.atan2(dy, dx)
    ray = math.floor(angle / math.pi * 8) % 2
    ring = math.floor(radius / 16) % 2
    hue = 2 * math.pi * radius / 200
    if radius > 124:
        return 0.96, 0.95, 0.92, 1.0
    if ray != ring:
        return 0.08, 0.08, 0.12, 1.0
    return 0.62 + 0.35 * math.cos(hue), 0.58 + 0.35 * math.cos(hue - 2.1), 0.60 + 0.35 * math.cos(hue - 4.2), 1.0


write_png("tiles.png", tiles)
write_png("stars.png", stars)
