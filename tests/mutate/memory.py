"""memory.py - what earlier mutants taught: how long each test takes, and which tests killed mutants of which file.

An item is a test, or a case of one ("amber-tesla:integers", "golden:check/*") where the test takes names of cases.
Nothing of this decides whether a mutant is killed: only which tests are asked first, and which are not quick."""
import collections, json, os

SETS = ["tgsi", "tesla", "valhall", "rogue", "vpu", "spirv"]
LINK = 0.5  # seconds of a processor, to link a test
CASES = 12  # of a test, that are asked one by one before the whole test is
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../golden")
AMBER = os.path.join(GOLDEN, "../amber")
OF_THE_BUILD = ["library-installed", "cli-style", "cli-layers"]  # of texts and of what is built, not of what it does


def of_the_jit(path):
    """What runs only in builds with the JIT."""
    return path.startswith(("src/exec/jit/", "src/exec/native"))


def wanted(path):
    """Prefixes of the names of tests that could notice a change of this file, the likeliest first."""
    part = path.split("/")
    if of_the_jit(path):
        return (["exec-native"] if "native" in path else ["exec-texts"]) + ["exec-", "amber-same-bits", ""]
    jobs = ["amber-jobs", "amber-examples", "amber-"]
    if part[1] == "isa" and part[2] in SETS:
        jobs = "jobs" if part[2] == "tgsi" else part[2]
        lifts = ["isa-walks"] if part[-1].startswith("policy") else []
        lifts += ["spirv-lifts"] if part[2] == "spirv" else ["isa-lifts", "isa-programs"]
        if part[-1].startswith("lift"):
            lifts += ["isa-unchecked", "isa-properties", "isa-origins", "isa-warps"]
        else:
            lifts += ["isa-rows", "isa-forms", "isa-damage"]
        jobs = ["amber-" + jobs, "amber-examples" if part[2] == "tgsi" else "amber-examples-" + part[2]]
        own = [part[2] + "-", "golden:*/%s*" % part[2]]
        return lifts + own + jobs + ["isa-", "library-", "golden", "cli-command-line", "cli-manuals", "cli-fidelity",
                                     "cli-codes"]
    return {
        "isa": ["isa-lifts", "isa-", "spirv-lifts", "tesla-", "vpu-", "valhall-", "rogue-", "tgsi-", "library-",
                "golden", "cli-command-line", "cli-codes"] + jobs,
        "ir": ["ir-", "exec-", "tgsi-", "isa-", "library-", "golden", "cli-command-line"] + jobs,
        "exec": ["exec-", "tgsi-", "vpu-", "library-"] + jobs + ["faults-"],
        "device": ["device-", "amber-jobs", "library-", "tgsi-lift", "vpu-boot", "golden", "tgsi-", "cli-drawing",
                   "cli-scene"] + jobs + ["faults-memory", "cli-codes", "faults-limits"],
        "run": ["library-", "golden", "cli-command-line", "cli-tracing", "cli-codes", "faults-"],
        "script": ["script-", "amber-jobs", "library-share", "golden", "cli-"] + jobs + ["faults-memory"],
        "base": ["base-", "library-", "cli-words", "cli-numbers", "cli-limits", "cli-messages", "script-", "tgsi-check",
                 "tgsi-parse", "golden", "isa-", "exec-fmath", "faults-", "cli-", "tgsi-"] + jobs,
        "cli": ["golden", "cli-", "vpu-boot", "vpu-files", "faults-", "library-run-shader", "mpi-"],
    }.get(part[1], [""])


def environment(path, item):
    """What makes a test quicker that has more than what could notice a change of this file."""
    part = path.split("/")
    one_set = item == "isa-lifts" and part[1] == "isa" and part[2] in SETS and part[2] != "spirv"
    return {"WEFT_TEST_ONLY": part[2] + " "} if one_set else {}


def test_of(item):
    return item.split(":")[0]


FEW = 10  # golden files of a part
JOBS = 24  # jobs of a part
# Calls of tests/faults/calls.c, by a word of their names; the others take long.
CALLS = ["bytes", "listing", "wrong text", "instruction", "dispatch", "hooks", "elf", "assembler", "draw",
         "job reduction", "job geometry", "job multisample", "job tessellation", "job stencil", "dump", "failing job",
         "checked job", "machine", "messages", "folders"]


def letters(names):
    """The first letters of names, so many together that no more than a few names begin with them."""
    counts, parts = collections.Counter(n[0] for n in names), []
    for letter in sorted(counts):
        if not parts or parts[-1][1] + counts[letter] > FEW:
            parts.append(["", 0])
        parts[-1][0] += letter
        parts[-1][1] += counts[letter]
    return [p[0] for p in parts]


def jobs_of(test):
    """The jobs of a test of one folder: amber-jobs, amber-tesla and their like."""
    folders = dict({"amber-" + s: s for s in SETS if s != "tgsi"}, **{"amber-jobs": ""})
    if test not in folders:
        return []
    return sorted(f[:-len(".amber")] for f in os.listdir(os.path.join(AMBER, folders[test])) if f.endswith(".amber"))


def parts_of(test):
    """Golden files are asked folder by folder, large ones in parts, and so are jobs and calls without memory: all of
    them are not quick."""
    jobs = jobs_of(test)
    if jobs:
        return [":".join([test] + jobs[i::len(jobs) // JOBS + 1]) for i in range(len(jobs) // JOBS + 1)]
    if test == "faults-memory":
        return ["%s:%s" % (test, c) for c in CALLS]
    if test != "golden":
        return [test]
    parts = []
    for f in sorted(os.listdir(GOLDEN)):
        names = [n for n in os.listdir(os.path.join(GOLDEN, f)) if n.endswith(".golden")] \
            if os.path.isdir(os.path.join(GOLDEN, f)) else []
        some = letters(names)
        parts += ["golden:%s/%s" % (f, "[%s]*" % s if len(some) > 1 else "*") for s in some]
    return parts


BROAD = 3000  # lines: a test that executes so many comes half as early as one that executes few
NAMESAKES = 6  # jobs and golden files that are called like the file that changes are asked soon


def stems(name):
    """Words that tests of a file may be called by: "geometry", "access" of "image_access.c", "size" of "sized.c"."""
    words = [w for w in os.path.basename(name).split(".")[0].split("_") if len(w) > 3]
    return [w[:-1] if len(w) > 4 else w for w in sorted(words, key=len, reverse=True)]


def namesakes(path, tests):
    """Tests and cases whose names have a word of the file's name, and golden files of the command that the file is
    of."""
    part, words = path.split("/"), stems(path)
    if of_the_jit(path):
        return []
    own = [t for t in tests if any(w in t for w in words[:1 if part[1] == "isa" else 2])]
    if part[1] == "isa":  # instruction sets have snapshots; "memory" is not what faults-memory is about
        return [t for t in own if t.startswith(tuple(wanted(path)))]
    command = os.path.basename(path).split(".")[0].split("_")[0]
    own += [p for p in parts_of("golden") if part[1] == "cli" and p.startswith("golden:%s/" % command)]
    for word in words:
        for folder in [""] + (SETS if part[1] in ("device", "script") else []):
            test = "amber-" + (folder or "jobs")
            place = os.path.join(AMBER, folder)
            files = sorted(os.listdir(place)) if os.path.isdir(place) else []
            jobs = [f[:-len(".amber")] for f in files if word in f and f.endswith(".amber")]
            own += [test + ":" + j for j in jobs[:NAMESAKES if not folder else 2]]
        golden = [os.path.join(f, g[:-len(".golden")]) for f in sorted(os.listdir(GOLDEN))
                  if os.path.isdir(os.path.join(GOLDEN, f)) for g in sorted(os.listdir(os.path.join(GOLDEN, f)))
                  if word in f + g and g.endswith(".golden")]
        own += ["golden:" + g for g in golden[:NAMESAKES]]
    return own


class Memory:
    def __init__(self, path):
        self.path = path
        try:
            with open(path) as f:
                kept = json.load(f)
        except (OSError, ValueError):
            kept = {}
        self.state = kept.get("state", "")      # of the sources when tests passed unchanged
        self.passes = {t: True for t in kept.get("passes", [])}  # false: it did not in this campaign
        self.long = kept.get("long", {})        # item: seconds in which it did not end
        self.took = kept.get("took", {})        # item: seconds of a processor
        self.killed = kept.get("killed", {})    # file: {item: mutants}
        self.asked = kept.get("asked", {})      # file: {item: mutants}

    def save(self):
        with open(self.path + ".new", "w") as f:
            passes = sorted(t for t, p in self.passes.items() if p)
            json.dump({"state": self.state, "passes": passes, "long": self.long, "took": self.took,
                       "killed": self.killed, "asked": self.asked}, f, indent=1, sort_keys=True)
        os.replace(self.path + ".new", self.path)

    def begin(self, state):
        """What passed before the sources changed may fail now."""
        if state != self.state:
            self.state, self.passes = state, {}

    def note(self, path, item, killed):
        for table in [self.asked] + ([self.killed] if killed else []):
            of_file = table.setdefault(path, {})
            of_file[item] = of_file.get(item, 0) + 1

    def too_long(self, item, seconds):
        self.long[item] = max(seconds, self.long.get(item, 0))

    # ---- which next ----

    def may_ask(self, item, limit):
        return self.long.get(item, 0) < limit and self.passes.get(item) is not False

    def chance(self, path, item, rank, parts=1):
        """That the item, one of several parts of a test, kills a mutant of this file: what it did for the file, and
        before that for the folder."""
        killed = self.killed.get(path, {}).get(item, 0)
        asked = self.asked.get(path, {}).get(item, 0)
        near_killed = near_asked = 0
        for other in self.asked:
            if os.path.dirname(other) == os.path.dirname(path) and other != path:
                near_killed += self.killed.get(other, {}).get(item, 0)
                near_asked += self.asked[other].get(item, 0)
        before = (near_killed + 2 / (2 + rank) / parts) / (near_asked + 4)
        return (killed + before) / (asked + 1)

    def order(self, path, tests, limit, reach=None, reached=None):
        """Items for a mutant of the file that end within that many seconds: the most mutants killed in a second
        first. What only the JIT has is asked of tests that need it; where it is known which items execute the
        changed line, only they are asked, and items of which nothing is known."""
        items, cases = {}, collections.Counter()
        named = tests
        if of_the_jit(path):
            others = ("exec-shapes", "exec-native")
            named = [t for t, (_, needs, _, _) in tests.items() if "weft-jit.so" in needs or t in others]
        for rank, prefix in enumerate(wanted(path)):
            of_prefix = [t for t in named if t.startswith(prefix) and t not in OF_THE_BUILD]
            for parts in [[prefix]] if ":" in prefix else map(parts_of, of_prefix):
                for item in parts:
                    if item not in items and self.may_ask(item, limit):
                        of = len(parts) if item.startswith("golden") else 1  # jobs of a set are all about its lifts
                        took = self.took.get(item, 2 if len(parts) == 1 else 1)
                        items[item] = self.chance(path, item, rank, of) / (LINK + took)
        for item in namesakes(path, tests):
            if test_of(item) in tests and self.may_ask(item, limit):
                items[item] = self.chance(path, item, 0) / (LINK + self.took.get(item, 0.5))
        for other in self.killed:
            if os.path.dirname(other) == os.path.dirname(path):
                for item, n in self.killed[other].items():
                    if ":" in item and item not in items and test_of(item) in tests and self.may_ask(item, limit):
                        cases[item] += n * (CASES if other == path else 1)
        for item, _ in cases.most_common(CASES):
            items[item] = self.chance(path, item, 8) / (LINK + self.took.get(item, 0.3))
        if reached is not None:
            items = {i: value for i, value in items.items() if reach.part_of(i) in reached or not reach.part_of(i)}
            for item in reached:
                if item not in items and test_of(item) in tests and self.may_ask(item, limit):
                    items[item] = self.chance(path, item, 8) / (LINK + self.took.get(item, 1))
            for item in items:  # a test that executes little is about what it executes
                items[item] /= BROAD + reach.breadth(item)
        return sorted(items, key=lambda i: -items[i])
