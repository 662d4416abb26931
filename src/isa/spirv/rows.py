#!/usr/bin/env python3
"""rows.py GRAMMAR... OUT - the rows of SPIR-V from the grammar that spirv-headers installs.

ROW(opcode, name, class, form, operands, capabilities, version): `form` has a letter for each operand:
    t result type   r result   i id   s scope id   m memory semantics id   n number   S text
    c number of the type's width   e number of an extended instruction   o opcode of a constant instruction
    p number and id   q id and number   P two ids   A to Z and a kind's number as @NN: an enumeration
and ? or * after one that may be missing or repeated. KIND(number, name, is bits) and ENUMERANT(kind, value, name, form)
are the enumerations. EXT(number, name, operands) are the instructions of GLSL.std.450."""
import json
import sys

LETTERS = {'IdResultType': 't', 'IdResult': 'r', 'IdRef': 'i', 'IdScope': 's', 'IdMemorySemantics': 'm',
           'LiteralInteger': 'n', 'LiteralString': 'S', 'LiteralContextDependentNumber': 'c', 'LiteralFloat': 'n',
           'LiteralExtInstInteger': 'e', 'LiteralSpecConstantOpInteger': 'o', 'PairLiteralIntegerIdRef': 'p',
           'PairIdRefLiteralInteger': 'q', 'PairIdRefIdRef': 'P'}


# Enumerations with values that get registered without a new version, and on which nothing depends.
OPEN = {'SourceLanguage'}


def number(value):
    return int(value, 0) if isinstance(value, str) else value


def main():
    core = json.load(open(sys.argv[1]))
    glsl = json.load(open(sys.argv[2]))
    kinds = [k for k in core['operand_kinds'] if k['category'] in ('BitEnum', 'ValueEnum')]
    index = {k['kind']: i for i, k in enumerate(kinds)}

    def form(operands):
        return ''.join((LETTERS.get(o['kind']) or '@%02d' % index[o['kind']]) + o.get('quantifier', '')
                       for o in operands)

    def words(operands):
        names = []
        for o in operands:
            if o['kind'] in ('IdResultType', 'IdResult'):
                continue
            name = o.get('name', o['kind']).replace("'", '').replace('\n', ' ').replace('...', '')
            name = name.split(', +')[0].strip().rstrip(' ,+').replace('"', '')
            names.append(name + {'?': ' (optional)', '*': ' ...', '': ''}[o.get('quantifier', '')])
        return ', '.join(names)

    with open(sys.argv[3], 'w') as out:
        seen = set()
        for i in sorted(core['instructions'], key=lambda i: i['opcode']):
            if i['opcode'] in seen:
                continue
            seen.add(i['opcode'])
            operands = i.get('operands', [])
            out.write('ROW(%d, "%s", "%s", "%s", "%s", "%s", "%s")\n' % (
                i['opcode'], i['opname'], i.get('class', '').replace('_', ' ').replace('@exclude', 'Reserved'),
                form(operands), words(operands), ' '.join(i.get('capabilities', [])), i.get('version', '1.0')))
        for i, k in enumerate(kinds):
            out.write('KIND(%d, "%s", %d, %d)\n' % (i, k['kind'], k['category'] == 'BitEnum', k['kind'] in OPEN))
            seen = set()
            for e in sorted(k['enumerants'], key=lambda e: number(e['value'])):
                if number(e['value']) in seen:
                    continue
                seen.add(number(e['value']))
                out.write('ENUMERANT(%d, %uu, "%s", "%s")\n' % (i, number(e['value']), e['enumerant'],
                                                                form(e.get('parameters', []))))
        for i in glsl['instructions']:
            out.write('EXT(%d, "%s", "%s")\n' % (i['opcode'], i['opname'], words(i.get('operands', []))))


main()
