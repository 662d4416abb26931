# select.awk - of lines that begin with a test's name and a tab, those of a choice: -v isa=ISA, -v test=NAME or a glob, or
# several between spaces. A choice of none is an error: it says which sets there are, or which names are near. -v sets='tgsi tesla ...'.
BEGIN { FS = "\t" }
{ line[NR] = $0; name[NR] = $1 }
END {
    if (isa != "" && index(" " sets " ", " " isa " ") == 0)
        refuse("'" isa "' is not an instruction set; ISA is one of: " sets)
    count = split(test == "" ? "*" : test, glob, " ")
    for (i = 1; i <= NR; i++) {
        if (!of_isa(name[i]))
            continue
        hit = 0
        for (k = 1; k <= count; k++)
            if (name[i] ~ regexp(glob[k]))
                hit = found[k] = 1
        if (hit)
            print line[i]
    }
    for (k = 1; k <= count; k++)
        if (!found[k]) {
            test = test == "" ? "" : glob[k]
            refuse("no test" (isa == "" ? "" : " of " isa) (test == "" ? "" : " has the name '" test "'; " nearest()))
        }
}

function refuse(message) {
    print "run: " message >"/dev/stderr"
    exit 1
}

# A test is of an instruction set when the set's name is a word of it.
function of_isa(s) { return isa == "" || index("-" s "-", "-" isa "-") > 0 }

# The regular expression of a glob of * and ?, for a whole name.
function regexp(glob,    r, i, c) {
    r = "^"
    for (i = 1; i <= length(glob); i++) {
        c = substr(glob, i, 1)
        if (c == "*")
            r = r ".*"
        else if (c == "?")
            r = r "."
        else if (c ~ /[A-Za-z0-9_-]/)
            r = r c
        else
            r = r "[" (c == "^" || c == "\\" ? "\\" c : c) "]"
    }
    return r "$"
}

# The three names that are nearest to what was asked for: names that have it within them come first.
function nearest(    i, n, best, d, at, used, text, within) {
    gsub(/[*?]/, "", test)
    for (n = 0; n < 3; n++) {
        best = -1
        for (i = 1; i <= NR; i++) {
            if (i in used || !of_isa(name[i]))
                continue
            within = test != "" && index(name[i], test)
            d = (within ? 0 : 1000) + distance(test, name[i])
            if (best < 0 || d < best) {
                best = d
                at = i
            }
        }
        if (best < 0)
            break
        used[at] = 1
        text = text (n ? ", " : "") name[at]
    }
    return "the nearest are: " text "\nrun: a part of a name is '*" test "*'"
}

# How many letters have to be put in, taken out or changed.
function distance(a, b,    i, j, row, last, here) {
    for (j = 0; j <= length(b); j++)
        row[j] = j
    for (i = 1; i <= length(a); i++) {
        last = row[0]
        row[0] = i
        for (j = 1; j <= length(b); j++) {
            here = row[j]
            row[j] = least(row[j] + 1, row[j - 1] + 1, last + (substr(a, i, 1) != substr(b, j, 1)))
            last = here
        }
    }
    return row[length(b)]
}
function least(x, y, z) { return x < y ? (x < z ? x : z) : y < z ? y : z }
