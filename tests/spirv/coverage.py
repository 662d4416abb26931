#!/usr/bin/env python3
"""coverage.py WEFT WORDS CORE GLSL CAPABILITIES REFUSED FOLDER[,FOLDER] TEST... - every instruction that modules of
weft's capabilities may have, and every function of GLSL.std.450, is in a module that a test runs, as TAP.

The list comes from the grammars CORE and GLSL and from CAPABILITIES (capabilities.inc). Modules are those that the
TESTs run, which write them into a file, and the shaders of the jobs of the FOLDERs whose results are looked at, which
WORDS (words.c) makes of their texts. REFUSED has a line "NAME: reason" for each instruction that is refused on purpose:
weft must not know its meaning."""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

STAGES = {'vertex': 'vertex', 'fragment': 'fragment', 'compute': 'compute', 'geometry': 'geometry',
          'tessellation_control': 'tess-control', 'tessellation_evaluation': 'tess-evaluation'}
# What has no result and changes nothing: declarations, names, annotations.
SILENT = ('Type-Declaration', 'Constant-Creation', 'Annotation', 'Debug', 'Extension', 'Mode-Setting', '@exclude')
EXT_INST_IMPORT, EXT_INST = 11, 12


def wanted(core, glsl, capabilities):
    """Names of the instructions that a module with these capabilities may have."""
    names = set()
    for i in core['instructions']:
        needs = i.get('capabilities', [])
        specialized = i['opname'].startswith('OpSpecConstant')
        if (i['class'] not in SILENT or specialized) and (not needs or set(needs) & capabilities):
            names.add(i['opname'])
    return names | {i['opname'] for i in glsl['instructions']}


def scan(words, core, glsl, used):
    """The names of a module's instructions."""
    at, sets = 5, set()
    while at < len(words):
        opcode, count = words[at] & 0xffff, words[at] >> 16
        if opcode == EXT_INST_IMPORT and struct.pack('<4I', *words[at + 2:at + 6]).startswith(b'GLSL.std.450'):
            sets.add(words[at + 1])
        if opcode == EXT_INST and words[at + 3] in sets:
            used.add(glsl[words[at + 4]])
        used.update(core.get(opcode, ()))
        at += max(count, 1)


def jobs(folders):
    """Paths of the jobs that pass."""
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            if name.endswith('.amber') and '.refused.' not in name and '.expect_fail.' not in name:
                yield os.path.join(folder, name)


def shaders(job):
    """Stage, format and text of the shaders of a job that says what it expects."""
    text = open(job).read()
    if not re.search(r'^\s*(EXPECT|probe|relative probe)', text, re.M):
        return []
    return re.findall(r'^\s*SHADER (\w+) \w+ (SPIRV-ASM|GLSL)[^\n]*\n(.*?)^\s*END$', text, re.M | re.S)


def stored(path):
    """The modules of a file, each after its size, as lists of words."""
    with open(path, 'rb') as f:
        data, at = f.read(), 0
    while at < len(data):
        size = struct.unpack_from('<I', data, at)[0]
        yield list(struct.unpack_from('<%dI' % size, data, at + 4))
        at += 4 + 4 * size


def all_modules(words, folders, program, tests):
    """Those that tests of the program run, and those of the jobs in the folders, as lists of words."""
    modules = []
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, 'modules')
        for test in tests:
            open(path, 'w').close()
            env = dict(os.environ, WEFT_TEST_MODULES=path)
            env.pop('WEFT_SPIRV_MODULE', None)  # some of them are not for the validator
            subprocess.run([program, test], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            modules += stored(path)
        command = [words]
        for job in jobs(folders):
            for stage, form, text in shaders(job):
                shader = os.path.join(scratch, '%d' % len(command))
                with open(shader, 'w') as out:
                    out.write(text)
                command += ['spirv', '-', shader] if form == 'SPIRV-ASM' else ['glsl', STAGES[stage], shader]
        with open(path, 'wb') as out:
            subprocess.run(command, stdout=out, check=True)
        modules += [module for module in stored(path) if module]
    return modules


def main():
    weft, words, core, glsl, inc, refused_file, folders = sys.argv[1:8]
    core, glsl = json.load(open(core)), json.load(open(glsl))
    capabilities = set(re.findall(r'^CAPABILITY\((\w+)\)', open(inc).read(), re.M))
    refused = dict(re.findall(r'^(\w+): (.+)$', open(refused_file).read(), re.M))
    by_number = {}
    for i in core['instructions']:
        by_number.setdefault(i['opcode'], []).append(i['opname'])
    functions = {i['opcode']: i['opname'] for i in glsl['instructions']}
    used, modules = set(), all_modules(words, folders.split(','), sys.argv[8], sys.argv[9:])
    for module in modules:
        scan(module, by_number, functions, used)
    names = wanted(core, glsl, capabilities)
    rows = json.loads(subprocess.run([weft, 'isa', 'spirv', '--json'], stdout=subprocess.PIPE, check=True).stdout)
    runs = {row['mnemonic'] for row in rows['instructions'] if row['executes']}
    checks = [
        ('%d modules have been read' % len(modules), ['modules'] if len(modules) < 500 else []),
        ('each of %d instructions is in one of them or refused' % len(names), names - used - set(refused)),
        ('what is refused has no test', set(refused) & used),
        ('what is refused has no meaning', set(refused) & runs),
        ('what is refused is in the list', set(refused) - names),
    ]
    failed = 0
    for number, (what, wrong) in enumerate(checks, 1):
        print('%s %d - %s' % ('not ok' if wrong else 'ok', number, what))
        for name in sorted(wrong):
            print('# ' + name)
        failed += bool(wrong)
    print('1..%d' % len(checks))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
