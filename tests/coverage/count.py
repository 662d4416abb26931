#!/usr/bin/env python3
"""count.py BUILD - lines and branches of src that ran, by folder, and the files with most lines that did not; pages of
all files in BUILD/html.

gcov reads what the counters left in BUILD; code that is compiled more than once counts once. Lines that LEFT_OUT
matches do not count, nor do their branches: docs/testing.md says which these are."""
import collections, concurrent.futures, json, os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
import pages

MOST_FILES = 25
LEFT_OUT = r".*/\* never: |\s*return WEFT_ERROR_MEMORY;"


def left_out(path):
    """Numbers of the lines of a file that do not count."""
    with open(path) as f:
        return {number for number, line in enumerate(f, 1) if re.match(LEFT_OUT, line)}


def read(build, path):
    """(file, line, times, times of each branch) of one object."""
    with tempfile.TemporaryDirectory() as folder: # where gcov leaves files, whatever its version leaves
        words = ["gcov", "-b", "--json-format", "--stdout", os.path.join(build, path)]
        said = subprocess.run(words, cwd=folder, capture_output=True).stdout
    for text in said.splitlines():
        for file in json.loads(text)["files"] if text.startswith(b"{") else []:
            if file["file"].startswith("../src/"):
                for line in file["lines"]:
                    yield file["file"][3:], line["line_number"], line["count"], [b["count"] for b in line["branches"]]


def main():
    build = os.path.abspath(sys.argv[1])
    objects = [os.path.join(folder, f) for folder, _, files in os.walk(build) for f in files if f.endswith(".gcda")]
    lines, branches = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda path: list(read(build, path)), objects):
            for file, line, times, ways in found:
                lines[file][line] += times
                for i, n in enumerate(ways):
                    branches[file][line, i] += n
    for file in lines:
        for number in left_out(file):
            lines[file].pop(number, None)
            for key in [key for key in branches[file] if key[0] == number]:
                del branches[file][key]
    if not lines:
        sys.exit("coverage: '%s' has no counts: run tests/coverage/run" % sys.argv[1])

    folders = collections.defaultdict(list)
    for file in lines:
        folders[os.path.dirname(file)].append(file)
        folders["all"].append(file)
    for folder, files in sorted(folders.items(), key=lambda f: (f[0] == "all", f[0])):
        shares = [[n > 0 for f in files for n in table[f].values()] for table in (lines, branches)]
        print("%-20s" % folder + "".join("%7d %s %5.1f %%" % (len(s), what, 100 * sum(s) / max(len(s), 1))
                                         for s, what in zip(shares, ("lines", "branches"))))
    missed = sorted(((sum(n == 0 for n in t.values()), len(t), f) for f, t in lines.items()), reverse=True)
    print("\nlines that never ran:\n" + "\n".join("%5d of %4d  %s" % m for m in missed[:MOST_FILES]))
    pages.write(os.path.join(build, "html"), os.path.join(HERE, "../.."), lines, branches)
    print(f"\npages: {sys.argv[1]}/html/index.html")


main()
