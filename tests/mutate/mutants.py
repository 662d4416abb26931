"""mutants.py - the single changes that could be made to a source file: where each is and what it puts there.

A file is cut into tokens first, so that comments stay as they are, and strings too but for bit patterns and numbers in
rows of tables. Each change keeps the number of lines."""
import os
import re
from collections import namedtuple

Mutant = namedtuple("Mutant", "path offset length text what")

TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)
      | (?P<directive>^[ \t]*\#[^\n]*(?:\\\n[^\n]*)*)
      | (?P<string>"(?:\\.|[^"\\\n])*")
      | (?P<char>'(?:\\.|[^'\\\n])*')
      | (?P<number>(?:0[xX][0-9a-fA-F]+|[0-9]+)(?:[uUlL]+)?(?![\w.]))
      | (?P<float>[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?[fF]?)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<op><<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||->|\+\+|--|[-+*/%&|^]=|[-+*/%&|^<>!~?:=.,;(){}\[\]])
    """,
    re.X | re.S | re.M)

# What takes the place of an operator. Binary - + & | only with blanks on both sides, as the sources write them.
OPERATORS = {
    "==": ["!="], "!=": ["=="], "<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"],
    "&&": ["||"], "||": ["&&"], "<<": [">>"], ">>": ["<<"], "+": ["-"], "-": ["+"], "&": ["|"], "|": ["&"],
    "*": ["+"], "+=": ["-="], "-=": ["+="], "|=": ["&="], "&=": ["|="],
}
BINARY = {"<", ">", "+", "-", "&", "|", "*"}

# Ops of lane IR that a slip of the hand could exchange: each is replaced with the next of its group.
IR_GROUPS = [
    "IR_ADD IR_SUB IR_MUL", "IR_AND IR_OR IR_XOR", "IR_SHL IR_SHR_U IR_SHR_S", "IR_EQ IR_NE", "IR_LT_S IR_LE_S",
    "IR_LT_U IR_LE_U", "IR_MIN_S IR_MAX_S", "IR_MIN_U IR_MAX_U", "IR_DIV_S IR_DIV_U", "IR_REM_S IR_REM_U",
    "IR_MULHI_S IR_MULHI_U", "IR_FADD IR_FSUB IR_FMUL", "IR_FMIN IR_FMAX", "IR_FEQ IR_FNE", "IR_FLT IR_FLE",
    "IR_FNEG IR_FABS", "IR_ZEXT IR_SEXT", "IR_LO32 IR_HI32", "IR_F2S IR_F2U", "IR_S2F IR_U2F", "IR_ANY IR_ALL",
    "IR_FSIN IR_FCOS", "IR_CLZ IR_CTZ", "IR_RTZ IR_RNE", "IR_RUP IR_RDN", "IR_DDX IR_DDY",
]
IR_NEXT = {}
for group in IR_GROUPS:
    names = group.split()
    for i, name in enumerate(names):
        IR_NEXT[name] = names[(i + 1) % len(names)]

# Ops that do not round: what a change of 0 to 1 asks of their attributes, to round toward zero, they do not look at. Of
# the ops that are not pure (the table in src/ir/ir.h tells them) few look at attributes at all.
NOT_ROUNDED = set("""IR_PACK64 IR_LO32 IR_HI32 IR_ZEXT IR_SEXT IR_TRUNC IR_BITCAST IR_FMIN IR_FMAX IR_FSAT IR_FEQ IR_FNE
IR_FLT IR_FLE IR_FUNORD IR_FREXP_MANT IR_FREXP_EXP""".split())
LOOK = set("IR_BALLOT IR_ANY IR_ALL IR_FIRST IR_REDUCE IR_INTERP".split())
with open(os.path.join(os.path.dirname(__file__), "../../src/ir/ir.h")) as table:
    for name, flags in re.findall(r'X\((\w+), "\w+", -?\d+, \w+, ([A-Z |]+),', table.read()):
        if "P" not in flags.split() and "IR_" + name not in LOOK:
            NOT_ROUNDED.add("IR_" + name)
ATTRIBUTES = re.compile(
    r"\bir_(?:op[123]\([^,()]+, (IR_\w+)|cvt2?\([^,()]+, (IR_\w+), [^,()]+|emit\([^,()]+, (IR_\w+), [^,()]+), (?=0,)")
# An op without a result has none, however many a lift asks for.
WITHOUT_RESULT = re.compile(r"\bir_emit\([^,()]+, \w+, IR_VOID, [^,]+, (?=[0-9])")
# A lift that has refused a program has failed, whatever the function gives after that.
REFUSED = re.compile(r"\b(?:spirv_wrong|lift_refuse|lift_refuse_at|lift_error_at)\([^;{}]*\);\s*return ([^;]*);")
# Sizes of memory: a larger one only makes room.
ROOM = re.compile(r"\b(?:ARENA_ARRAY|arena_grow|arena_array|arena_alloc)\([^;{}]*;")
ADDED = re.compile(r"[+*] *(?=[0-9])")
LOCAL = re.compile(r"^ +(?:const )?(?:struct )?\w+ (?:\*?\w+\[\w+\](?:, |;$))+", re.M)  # arrays without values
SIZED = re.compile(r"(\w+)\[(?=[0-9])")


def without_meaning(source):
    """Places of numbers that are attributes which their op does not look at, that ask for room or for results of what
    has none, and of what is given after a refusal."""
    ignored = {at for m in REFUSED.finditer(source) for at in range(m.start(1), m.end(1))}
    ignored |= {m.end() for m in WITHOUT_RESULT.finditer(source)}
    ignored |= {m.start() + n.end() for m in LOCAL.finditer(source) for n in SIZED.finditer(m.group())
                if not re.search(r"sizeof\(? ?%s\b" % n.group(1), source)}
    ignored |= {m.start() + n.end() for m in ROOM.finditer(source) for n in ADDED.finditer(m.group())}
    return ignored | {m.end() for m in ATTRIBUTES.finditer(source)
                      if (m.group(1) or m.group(2) or m.group(3)) in NOT_ROUNDED}


def of_number(text):
    digits = re.match(r"0[xX][0-9a-fA-F]+|[0-9]+", text).group()
    rest = text[len(digits):]
    value = int(digits, 0) if not re.match(r"0[0-7]+$", digits) else int(digits, 8)
    if digits[:2] in ("0x", "0X"):
        return "0x%x%s" % (value ^ 1, rest)
    return "%d%s" % (value + 1, rest)


def in_string(text):
    """A bit of a pattern, or a number that follows '=' or ':' in a row's text: (place, new character)."""
    for m in re.finditer(r"(?<![\w%])[01]{2,}(?![\w])|(?<=[=:])[0-9](?![\w])", text):
        for i in range(m.start(), m.end()):
            if text[i] in "01":
                yield i, "10"[int(text[i])]
            elif m.end() - m.start() == 1 and text[i] in "2345678":
                yield i, str(int(text[i]) + 1)


def mutants(path, source):
    """Every change of the file, in order."""
    rows = path.endswith(".inc")
    tokens = [m for m in TOKEN.finditer(source) if m.lastgroup != "comment"]
    ignored = without_meaning(source)
    depth = 0
    for i, m in enumerate(tokens):
        kind, text, at = m.lastgroup, m.group(), m.start()

        def change(new, what):
            return Mutant(path, at, len(text), new, what)

        if text in "{}" and kind == "op":
            depth += 1 if text == "{" else -1
        if kind == "directive":
            continue
        if rows and kind == "string":
            for place, new in in_string(text):
                yield Mutant(path, at + place, 1, new, "%s: %s to %s" % (text[:60], text[place], new))
        # Outside of functions and rows only tables have meanings.
        elif kind == "word" and text in IR_NEXT:
            yield change(IR_NEXT[text], "%s to %s" % (text, IR_NEXT[text]))
        elif kind == "word" and text in ("true", "false") and at not in ignored:
            new = "false" if text == "true" else "true"
            yield change(new, "%s to %s" % (text, new))
        elif kind == "number" and (rows or depth > 0) and at not in ignored:
            new = of_number(text)
            yield change(new, "%s to %s" % (text, new))
        elif kind == "op" and text in OPERATORS and (rows or depth > 0):
            before, after = source[at - 1:at], source[m.end():m.end() + 1]
            if text in BINARY and not (before.isspace() and after.isspace()):
                continue
            if text == "*" and i > 0 and (tokens[i - 1].group() in ("const", "void", "char", ",", "(")):
                continue
            for new in OPERATORS[text]:
                yield change(new, "%s to %s" % (text, new))
        if kind == "word" and text in ("if", "while") and i + 1 < len(tokens) and tokens[i + 1].group() == "(":
            opening = tokens[i + 1].start()
            inner = parenthesised(tokens, i + 1, source)
            if inner is not None and ONE_OPERAND.match(inner):  # '!' before it turns the whole
                yield Mutant(path, opening, 1, "(!", "condition of %s turned" % text)
            elif inner is not None:
                yield Mutant(path, opening, len(inner) + 2, "(0 && (%s))" % inner, "condition of %s never" % text)


ONE_OPERAND = re.compile(r"^!?[\w.>\-\[\]]+(\([^()]*\))?$")


def parenthesised(tokens, at, source):
    """What is between the parenthesis that is token `at` and the one that closes it."""
    level = 0
    for m in tokens[at:]:
        level += {"(": 1, ")": -1}.get(m.group(), 0)
        if level == 0:
            return source[tokens[at].end():m.start()]
    return None
