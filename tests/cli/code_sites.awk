# code_sites.awk - the codes that calls give to diagnostics: awk -f code_sites.awk FILE.[ch]...
# A function takes a code where its declaration has a parameter `const char *code`; a static one counts in its own file.
# Words of tables that reach a call through a variable are not seen here: builds with assertions look at those.
function declared(text, file,    at, name, list, n, i, part) {
    while (match(text, /[a-z_0-9]+\([^(){};]*const char \*code[^(){};]*\)/)) {
        part = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        at = index(part, "(")
        name = substr(part, 1, at - 1)
        n = split(substr(part, at + 1), list, ",")
        for (i = 1; i <= n; i++)
            if (list[i] ~ /const char \*code *\)? *$/) place[(file ~ /\.h$/ ? "" : file) "/" name] = i
    }
}
# The codes in the argument `wanted` of the call whose arguments begin at `at`.
function argument(text, at, wanted,    depth, number, c, quoted, word) {
    number = 1
    for (depth = 1; depth > 0 && at <= length(text); at++) {
        c = substr(text, at, 1)
        if (c == "\"") {
            quoted = substr(text, at + 1, 400)
            match(quoted, /^([^"\\]|\\.)*/)
            word = substr(quoted, 1, RLENGTH)
            at += RLENGTH + 1
            if (number == wanted && word ~ /^[a-z][a-z0-9-]*$/) print word
        } else if (c == "'") {
            at += substr(text, at + 1, 1) == "\\" ? 3 : 2
        } else if (c ~ /[({]/ || c == "[") depth++
        else if (c ~ /[)}]/ || c == "]") depth--
        else if (c == "," && depth == 1 && ++number > wanted) return
    }
}
function calls(text, file,    name, at, wanted) {
    while (match(text, /[a-z_0-9]+\(/)) {
        name = substr(text, RSTART, RLENGTH - 1)
        at = RSTART + RLENGTH
        wanted = file "/" name in place ? place[file "/" name] : "/" name in place ? place["/" name] : 0
        if (wanted) argument(substr(text, at, 3000), 1, wanted)
        text = substr(text, at)
    }
}
FNR == 1 { files[++count] = FILENAME }
{ sub(/^ *#.*/, ""); all[count] = all[count] " " $0 }
END {
    for (i = 1; i <= count; i++) declared(all[i], files[i])
    for (i = 1; i <= count; i++) calls(all[i], files[i])
}
