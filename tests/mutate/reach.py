"""reach.py - which tests execute a line: those can notice a change of it, and others cannot.

gcov counts in one more copy of the sources, once for each item (memory.py); what it found is kept, and holds for later
sources by their unchanged lines. A table's rows are not executed, nor is a macro: nothing is known of those."""
import collections, difflib, fnmatch, json, os, shutil, subprocess, threading

from memory import test_of
from trees import CORE, SPIRV, Tree

COVERED = ["-Dbuildtype=plain", "-Doptimization=1", "-Db_coverage=true", "-Db_ndebug=true", "-Dmpi=disabled",
           "-Dbench=disabled", "-Djit=disabled", "-Dc_args=-fprofile-update=atomic -DWEFT_NO_TAIL_CALLS"]
SLOWER = 6  # a test may take so many times as long there
MOSTLY = 3  # and it usually takes so many times as long
NOT_COUNTED = ("faults-commands", "faults-limits", "faults-sandbox")  # they take long, or cannot write their counts
STATEMENT = 6  # a statement may begin so many lines before the line that is looked for


class Reach:
    def __init__(self, root, place, log):
        self.place, self.log = place, log
        self.tree = Tree(root, os.path.join(place, "tree"), False, COVERED)
        self.path = os.path.join(place, "reach.json")
        self.lines, self.known, self.lock = {}, {}, threading.Lock()
        self.seconds = {}  # of a processor, for each item
        self.maps, self.parts, self.widths = {}, {}, {}  # of what was asked before
        try:
            with open(self.path) as f:
                kept = json.load(f)
        except (OSError, ValueError):
            return
        self.lines = {i: {p: int(b, 16) for p, b in of.items()} for i, of in kept["lines"].items()}
        self.known = {p: int(b, 16) for p, b in kept["known"].items()}
        self.seconds = kept.get("seconds", {})

    def save(self):
        with open(self.path + ".new", "w") as f:
            json.dump({"lines": {i: {p: "%x" % b for p, b in of.items()} for i, of in self.lines.items()},
                       "known": {p: "%x" % b for p, b in self.known.items()},
                       "seconds": self.seconds}, f, indent=0, sort_keys=True)
        os.replace(self.path + ".new", self.path)

    # ---- asking gcov ----

    def learn(self, items_of, longest, jobs):
        """Counts which lines each item executes; items_of gives the items of the build's tests."""
        self.tree.update()
        self.tree.begin(self.log)
        self.lines, self.known, self.maps, self.parts, self.widths = {}, {}, {}, {}, {}
        programs = sorted({n for t in self.tree.tests if self.tree.is_program(t) for n in self.tree.tests[t][1]})
        self.tree.make(programs, 3600)
        todo = collections.deque(i for i in items_of(self.tree.tests) if not i.startswith(NOT_COUNTED))
        workers = [threading.Thread(target=self.work, args=(todo, longest, n)) for n in range(jobs)]
        for w in workers:
            w.start()
        for w in workers:
            w.join()
        self.save()

    def work(self, todo, longest, number):
        counts = os.path.join(self.place, "counts-%d" % number)
        there = counts + self.tree.build
        shutil.rmtree(counts, ignore_errors=True)
        for folder in self.objects():  # gcov looks for what the compiler noted next to the counts
            os.makedirs(os.path.join(there, folder))
            for f in os.listdir(os.path.join(self.tree.build, folder)):
                if f.endswith(".gcno"):
                    os.symlink(os.path.join(self.tree.build, folder, f), os.path.join(there, folder, f))
        while True:
            try:
                item = todo.popleft()
            except IndexError:
                return
            test = test_of(item)
            if not self.tree.make_for(test):
                continue
            ran = self.tree.run(test, item.split(":")[1:], SLOWER * longest, {"GCOV_PREFIX": counts})
            with self.lock:
                self.seconds[item] = ran.seconds / MOSTLY
            if ran.seconds < SLOWER * longest:
                self.count(item, there)
            subprocess.run(["find", counts, "-name", "*.gcda", "-delete"], check=True)

    def objects(self):
        return [f for f in (CORE, SPIRV + ".p", "weft.p") if os.path.isdir(os.path.join(self.tree.build, f))] + \
            [os.path.relpath(d, self.tree.build) for d, _, files in os.walk(os.path.join(self.tree.build, "src"))
             if any(f.endswith(".gcno") for f in files)]

    def count(self, item, there):
        found = collections.defaultdict(int)
        for folder in self.objects():
            here = os.path.join(there, folder)
            names = [f for f in os.listdir(here) if f.endswith(".gcda")]
            if not names:
                continue
            told = subprocess.run(["gcov", "--json-format", "--stdout"] + names, cwd=here, capture_output=True)
            for line in told.stdout.splitlines():
                self.read(json.loads(line), found)
        with self.lock:
            self.lines[item] = {p: b for p, b in found.items() if b}

    def read(self, told, found):
        for f in told["files"]:
            path = os.path.relpath(os.path.join(told["current_working_directory"], f["file"]), self.tree.root)
            if not path.startswith("src/"):
                continue
            known = sum(1 << n for n in {x["line_number"] for x in f["lines"]})
            with self.lock:
                self.known[path] = self.known.get(path, 0) | known
            found[path] |= sum(1 << n for n in {x["line_number"] for x in f["lines"] if x["count"]})

    # ---- answers ----

    def then(self, path, source):
        """For each line of the source: its number when gcov counted, or 0 if the line has changed since."""
        if path not in self.maps:
            try:
                with open(os.path.join(self.tree.root, path)) as f:
                    old = f.read().splitlines()
            except OSError:
                old = []
            new = source.splitlines()
            to = [0] * (len(new) + 1)
            for a, b, n in difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
                for i in range(n):
                    to[b + i + 1] = a + i + 1
            self.maps[path] = to
        return self.maps[path]

    def items(self, path, source, line):
        """The items that execute the statement of a line; None where that is not known."""
        with self.lock:
            to, text = self.then(path, source), source.splitlines()
        for n in range(line, max(line - STATEMENT, 0), -1):
            if n < line and (not text[n - 1].strip() or text[n - 1].rstrip().endswith((";", "{", "}", ":", "*/"))):
                return None
            if to[n] and self.known.get(path, 0) >> to[n] & 1:
                return {i for i, of in self.lines.items() if of.get(path, 0) >> to[n] & 1}
        return None

    def part_of(self, item):
        """The counted item that a case belongs to, or None."""
        if item not in self.parts:
            test, cases = test_of(item), item.split(":")[1:]
            self.parts[item] = next((k for k in self.lines if k == item or test_of(k) == test and cases and
                                     any(fnmatch.fnmatch(cases[0], c) for c in k.split(":")[1:])), None)
        return self.parts[item]

    def breadth(self, item):
        """How many lines an item executes."""
        if item not in self.widths:
            self.widths[item] = sum(bin(b).count("1") for b in self.lines.get(item, {}).values())
        return self.widths[item]
