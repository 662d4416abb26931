#!/usr/bin/env python3
"""corpora.py pack FOLDER FILE [BYTES] - write the inputs of a folder, the smallest first, to one file of at most BYTES.
corpora.py unpack FILE FOLDER - write each input of such a file to a file of its own.

Each line is an input: text after a quotation mark, in which a backslash precedes n, a backslash, or x and two digits;
or hexadecimal, whichever is shorter. Lines that begin with # are none. tests/fuzz/replay.c reads the same.
"""
import os
import sys


def line_of(data):
    text = '"'
    for byte in data:
        if byte == 10:
            text += '\\n'
        elif byte == 92:
            text += '\\\\'
        elif 32 <= byte < 127:
            text += chr(byte)
        else:
            text += '\\x%02x' % byte
    return min(text, data.hex(), key=len)


def data_of(line):
    if not line.startswith('"'):
        return bytes.fromhex(line)
    data, at = bytearray(), 1
    while at < len(line):
        if line[at] != '\\':
            data.append(ord(line[at]))
            at += 1
        elif line[at + 1] == 'x':
            data.append(int(line[at + 2:at + 4], 16))
            at += 4
        else:
            data.append(10 if line[at + 1] == 'n' else 92)
            at += 2
    return bytes(data)


def pack(folder, name, most):
    inputs = set()
    for entry in os.scandir(folder):
        with open(entry.path, 'rb') as file:
            inputs.add(file.read())
    lines, size = [], 0
    for data in sorted(inputs, key=lambda d: (len(d), d)):
        line = line_of(data)
        size += len(line) + 1
        if data and size <= most:
            assert data_of(line) == data
            lines.append(line + '\n')
    with open(name, 'w', encoding='ascii') as file:
        file.write('# Made by tests/fuzz/keep.\n' + ''.join(lines))


def unpack(name, folder):
    os.makedirs(folder, exist_ok=True)
    with open(name, encoding='ascii') as file:
        for number, line in enumerate(file):
            if not line.startswith('#'):
                with open('%s/%05d' % (folder, number), 'wb') as one:
                    one.write(data_of(line.rstrip('\n')))


if sys.argv[1] == 'pack':
    pack(sys.argv[2], sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else 1 << 30)
else:
    unpack(sys.argv[2], sys.argv[3])
