#!/usr/bin/env python3
"""coverage.py WEFT CORE GLSL CAPABILITIES REFUSED FOLDER[,FOLDER] TEST... - every instruction that modules of weft's
capabilities may have, and every function of GLSL.std.450, is in a module that a test runs, as TAP.

The list comes from the grammars CORE and GLSL and from CAPABILITIES (capabilities.inc). Modules are those that the
TESTs run, which write them into a file, and the shaders of the jobs of the FOLDERs whose results are looked at. REFUSED
has a line "NAME: reason" for each instruction that is refused on purpose: weft must not know its meaning."""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

EXTENSIONS = {'vertex': '.vert', 'fragment': '.frag', 'compute': '.comp', 'geometry': '.geom',
              'tessellation_control': '.tesc', 'tessellation_evaluation': '.tese'}
# What has no result and changes nothing: declarations, names, annotations.
SILENT = ('Type-Declaration', 'Constant-Creation', 'Annotation', 'Debug', 'Extension', 'Mode-Setting', '@exclude')
MAGIC, EXT_INST_IMPORT, EXT_INST = 0x07230203, 11, 12


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


def scan_file(data, core, glsl, used):
    """Modules, each after its size in words; or one alone."""
    words = list(struct.unpack('<%dI' % (len(data) // 4), data))
    modules = 0
    while words:
        size = len(words) if words[0] == MAGIC else words.pop(0)
        scan(words[:size], core, glsl, used)
        words = words[size:]
        modules += 1
    return modules


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


def assembled(weft, stage, form, text, folder):
    path = os.path.join(folder, 'shader' + ('.spvasm' if form == 'SPIRV-ASM' else EXTENSIONS[stage]))
    with open(path, 'w') as out:
        out.write(text)
    have = subprocess.run([weft, 'asm', path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return have.stdout if have.returncode == 0 else b''


def found(weft, folders, tests, core, glsl):
    used, modules = set(), 0
    with tempfile.TemporaryDirectory() as scratch:
        for test in tests:
            path = os.path.join(scratch, 'modules')
            open(path, 'w').close()
            env = dict(os.environ, WEFT_TEST_MODULES=path)
            env.pop('WEFT_SPIRV_MODULE', None)  # some of them are not for the validator
            subprocess.run([test], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            modules += scan_file(open(path, 'rb').read(), core, glsl, used)
        for job in jobs(folders):
            for stage, form, text in shaders(job):
                modules += scan_file(assembled(weft, stage, form, text, scratch), core, glsl, used)
    return used, modules


def main():
    weft, core, glsl, inc, refused_file, folders = sys.argv[1:7]
    core, glsl = json.load(open(core)), json.load(open(glsl))
    capabilities = set(re.findall(r'^CAPABILITY\((\w+)\)', open(inc).read(), re.M))
    refused = dict(re.findall(r'^(\w+): (.+)$', open(refused_file).read(), re.M))
    by_number = {}
    for i in core['instructions']:
        by_number.setdefault(i['opcode'], []).append(i['opname'])
    functions = {i['opcode']: i['opname'] for i in glsl['instructions']}
    used, modules = found(weft, folders.split(','), sys.argv[7:], by_number, functions)
    names = wanted(core, glsl, capabilities)
    rows = json.loads(subprocess.run([weft, 'isa', 'spirv', '--json'], stdout=subprocess.PIPE, check=True).stdout)
    runs = {row['mnemonic'] for row in rows['instructions'] if row['executes']}
    checks = [
        ('%d modules have been read' % modules, ['modules'] if modules < 500 else []),
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
