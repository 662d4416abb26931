"""trees.py - copies of the sources, each with a build of its own that is kept from one campaign to the next."""
import collections, hashlib, json, os, shutil, signal, subprocess, sys, threading

CORE, JIT, SPIRV = "libweft_core.a.p", "weft-jit.so", "weft-spirv.so"
# Assertions, and an end where an index is beyond an array: else chance would decide what such a change does.
OPTIONS = ["-Dbuildtype=plain", "-Doptimization=2", "-Db_ndebug=false", "-Dmpi=disabled",
           "-Dbench=disabled", "-Dc_args=-fsanitize=bounds -fsanitize-undefined-trap-on-error"]
# What reads or writes beyond memory that is allocated, which is noticed by chance elsewhere.
SANITIZED = ["-Dbuildtype=plain", "-Doptimization=1", "-Db_sanitize=address", "-Db_lundef=false", "-Db_ndebug=false",
             "-Dmpi=disabled", "-Dbench=disabled"]

Outcome = collections.namedtuple("Outcome", "passed case seconds")


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha1(f.read()).hexdigest()


def case_of(line):
    """The name of the case that a line "not ok 7 - NAME" is about."""
    return line.partition(" - ")[2].split(":")[0].split(" # ")[0].strip()


class Tree:
    def __init__(self, root, place, jit, options=OPTIONS):
        self.commands = ["weft"] + ([JIT] if jit else [])
        self.wanted = options + ["-Djit=%s" % ("enabled" if jit else "disabled")]
        self.origin, self.root = root, place
        self.build = os.path.join(place, "build")
        self.lock = threading.Lock()

    # ---- the copy and its build ----

    def update(self):
        """Brings the copy to what the sources are now; the digest of all of them."""
        listed = subprocess.run(["git", "ls-files"], cwd=self.origin, capture_output=True, text=True, check=True).stdout
        names = [n for n in listed.splitlines() if os.path.isfile(os.path.join(self.origin, n))]
        state = hashlib.sha1()
        for name in names:
            there, here = os.path.join(self.origin, name), os.path.join(self.root, name)
            with open(there, "rb") as f:
                wanted = f.read()
            state.update(name.encode() + b"\0" + wanted)
            self.put(here, wanted, os.stat(there).st_mode)
        self.remove_others(set(names))
        return state.hexdigest()

    def begin(self, log, build=True):
        """Builds what changed, or only what it takes to build."""
        shutil.rmtree(os.path.join(os.path.dirname(self.root), "scratch"), ignore_errors=True)
        if self.options() != self.wanted:
            shutil.rmtree(self.build, ignore_errors=True)
            env = dict(os.environ)
            if shutil.which("ld.lld"):  # links in a quarter of the time
                env["CC_LD"] = "lld"
            self.command(["meson", "setup", self.build, self.root] + self.wanted, log, env)
            with open(os.path.join(self.build, "mutate-options"), "w") as f:
                f.write("\n".join(self.wanted))
        there = subprocess.run(["ninja", "-C", self.build, "-t", "targets", "all"], capture_output=True, text=True)
        if SPIRV + ":" in there.stdout and SPIRV not in self.commands:
            self.commands.append(SPIRV)
        # Tests are built when they are asked for.
        self.command(["ninja", "-C", self.build] + (self.commands if build else ["build.ninja"]), log)
        self.learn()

    def options(self):
        """Those that the build is of; none if there is no build."""
        try:
            with open(os.path.join(self.build, "mutate-options")) as f:
                return f.read().split("\n")
        except OSError:
            return None

    @staticmethod
    def put(path, wanted, mode):
        """Writes a file only if it differs, so that no more is built than must be."""
        try:
            with open(path, "rb") as f:
                if f.read() == wanted:
                    return
        except OSError:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(wanted)
        os.chmod(path, mode & 0o777)

    def remove_others(self, names):
        for folder, folders, files in os.walk(self.root):
            if folder == self.root:
                folders[:] = [f for f in folders if f != "build"]
            for file in files:
                path = os.path.join(folder, file)
                if os.path.relpath(path, self.root) not in names:
                    os.remove(path)

    @staticmethod
    def command(words, log, env=None):
        if subprocess.run(words, stdout=log, stderr=log, env=env).returncode != 0:
            sys.exit("mutate: '%s' failed: see build-mutate/log" % " ".join(words))

    def learn(self):
        """Which objects are made of which source, what they are, and which tests there are."""
        told = subprocess.run(["ninja", "-C", self.build, "-t", "deps"], capture_output=True, text=True, check=True)
        self.objects = collections.defaultdict(list)
        object_file = None
        for line in told.stdout.splitlines():
            if line and line[0] not in " n":  # "ninja: Entering directory"
                object_file = line.split(":")[0]
            elif line.startswith("    ") and (object_file or "").startswith((CORE, JIT + ".p", "weft.p", "src/")):
                path = os.path.normpath(os.path.join(self.build, line.strip()))
                self.objects[os.path.relpath(path, self.root)].append(object_file)
        objects = {o for some in self.objects.values() for o in some}
        self.original = {o: digest(os.path.join(self.build, o)) for o in objects
                         if os.path.exists(os.path.join(self.build, o))}
        told = subprocess.run(["meson", "introspect", "--targets", "--tests", self.build], capture_output=True,
                              text=True, check=True)
        told = json.loads(told.stdout)
        files = {t["id"]: [os.path.relpath(f, self.build) for f in t["filename"]] for t in told["targets"]}
        self.tests = collections.OrderedDict()
        for t in told["tests"]:
            needs = sorted({f for d in t["depends"] for f in files.get(d, [])})
            self.tests[t["name"]] = (t["cmd"], needs, t["env"], t["workdir"] or self.build)

    # ---- changes ----

    def change(self, m):
        """Puts a mutant in place; the text that was there."""
        with open(os.path.join(self.root, m.path)) as f:
            before = f.read()
        self.write(m.path, before[:m.offset] + m.text + before[m.offset + m.length:])
        return before

    def write(self, path, text):
        with open(os.path.join(self.root, path), "w") as f:
            f.write(text)

    def make(self, targets, seconds=600, **more):
        try:
            return subprocess.run(["ninja", "-C", self.build, "-j", "2"] + targets, env=dict(os.environ, **more),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  timeout=seconds).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def compile(self, path):
        """Compiles what is made of a source: 'broken', 'same' as it was, or 'changed'."""
        objects = self.objects.get(path)
        # What a change compiles to is neither in the compiler's cache nor worth a place there. Of a table's rows most
        # files see only names.
        unchanged = {"CCACHE_DISABLE" if path.endswith(".c") else "CCACHE_READONLY": "1"}
        if not self.make(objects or self.commands, **unchanged):
            return "broken"
        same = all(digest(os.path.join(self.build, o)) == self.original[o] for o in objects or self.original)
        return "same" if same else "changed"

    # ---- tests ----

    def takes_cases(self, test):
        return self.tests[test][0][0].endswith(("tests/amber/run.sh", "tests/golden/golden"))

    def is_program(self, test):
        """A test that is a program of its own, in C."""
        command = os.path.relpath(self.tests[test][0][0], self.build)
        return not command.startswith("..") and command not in self.commands

    def make_for(self, test, seconds=600):
        needs = self.tests[test][1]  # scripts find weft by themselves
        return self.make(needs if self.is_program(test) else self.commands + needs, seconds)

    def run(self, test, cases, seconds, more=None):
        """Runs a test, or some of its cases, until one of them fails or a process takes that much of a processor. By
        the clock it may take thirty times as long: the machine may do other work."""
        words, _, env, folder = self.tests[test]
        scratch = os.path.join(os.path.dirname(self.root), "scratch")  # what a test leaves that is ended
        os.makedirs(scratch, exist_ok=True)
        # timeout ends what the test began, too.
        words = ["prlimit", "--cpu=%d" % (seconds + 1), "timeout", "-k", "5", "%d" % (30 * seconds + 1)] + words
        env = dict(os.environ, TMPDIR=scratch, ASAN_OPTIONS="detect_leaks=0", **env, **(more or {}))
        child = subprocess.Popen(words + list(cases), cwd=folder, env=env,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                 text=True, errors="replace")
        failed = None
        for line in child.stdout:
            if line.startswith("not ok") and "# SKIP" not in line:
                failed = case_of(line)
                os.kill(child.pid, signal.SIGTERM)  # Popen's own way may wait for it
                break
        child.stdout.close()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        return Outcome(failed is None and child.returncode == 0, failed, used.ru_utime + used.ru_stime)
