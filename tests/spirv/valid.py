#!/usr/bin/env python3
"""valid.py WEFT WORDS SPIRV-VAL FOLDERS TEST... - the program spirv-val and `weft check` agree on modules: those that
the tests run, those of the jobs in the folders (with commas between them), which WORDS (words.c) makes, and the same
with an instruction or an operand changed at random. What spirv-val accepts, weft accepts or says that it does not
execute it; what spirv-val refuses, weft refuses. A sample of them, or all with WEFT_TEST_ALL set. The seed is printed;
WEFT_TEST_SEED sets it.
"""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

import coverage

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.dont_write_bytecode = True
import sample

SAMPLE = 150


def instructions(words):
    """Place and size of each."""
    at, places = 5, []
    while at < len(words):
        places.append((at, max(words[at] >> 16, 1)))
        at += places[-1][1]
    return places


def damaged(words, rng):
    """The module without an instruction, with one twice, with another one instead, or with another operand."""
    words = list(words)
    at, size = rng.choice(instructions(words))
    how = rng.randrange(4)
    if how == 0:
        del words[at:at + size]
    elif how == 1:
        words[at:at] = words[at:at + size]
    elif how == 2 and size > 1:
        words[at + rng.randrange(1, size)] = rng.choice([0, 1, 2, 3, 7, rng.randrange(words[3])])
    else:
        other, length = rng.choice(instructions(words))
        words[at:at + size] = words[other:other + length]
    return words


def codes(check):
    """The codes of the errors that `weft check --json` printed."""
    found = set()

    def walk(value):
        if isinstance(value, dict):
            if value.get('severity') == 'error':
                found.add(value.get('code'))
            value = list(value.values())
        if isinstance(value, list):
            for each in value:
                walk(each)

    walk(json.loads(check))
    return found


def disagreement(weft, spirv_val, words, path):
    """What they differ in, or None; and whether spirv-val accepts the module."""
    with open(path, 'wb') as out:
        out.write(struct.pack('<%dI' % len(words), *words))
    judge = subprocess.run([spirv_val, '--scalar-block-layout', path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    check = subprocess.run([weft, 'check', '--json', path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    accepts = judge.returncode == 0
    if check.returncode not in (0, 1):
        return 'weft ends with %d: %s' % (check.returncode, check.stderr.decode()), accepts
    if not accepts:
        return (None if check.returncode == 1 else 'weft accepts it: ' + judge.stdout.decode()), accepts
    wrong = codes(check.stdout) - {'not-executed'}
    return ('weft refuses it: ' + ', '.join(sorted(wrong)) if wrong else None), accepts


def main():
    weft, words_of, spirv_val, folders = sys.argv[1:5]
    seed = int(os.environ.get('WEFT_TEST_SEED', '1'), 0)
    rng = random.Random(seed)
    print('# seed %d (set WEFT_TEST_SEED to change it)' % seed)
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        whole = coverage.all_modules(words_of, folders.split(','), sys.argv[5], sys.argv[6:])
        if not os.environ.get('WEFT_TEST_ALL'):
            whole = rng.sample(whole, min(SAMPLE * 2 // max(sample.SHARE, 2), len(whole)))
        kinds = [('modules of tests', whole), ('changed ones', [damaged(words, rng) for words in whole])]
        for number, (what, modules) in enumerate(kinds, 1):
            accepted, wrong = 0, []
            for words in modules:
                said, accepts = disagreement(weft, spirv_val, words, os.path.join(scratch, 'module.spv'))
                accepted += accepts
                wrong += [said] if said else []
            bad = wrong or accepted == 0
            print('%s %d - %s: %d, of which %d are valid' % ('not ok' if bad else 'ok', number, what, len(modules),
                                                            accepted))
            for said in wrong:
                print('# ' + said.strip().replace('\n', '\n# '))
            failed += bool(bad)
    print('1..%d' % len(kinds))
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
