# names.awk - NAME, a tab and the command of each test, from `meson introspect --tests --indent`.
function text(line) {
    sub(/^ *("[a-z]*": )?"/, "", line)
    sub(/",?$/, "", line)
    return line
}
/^ *"cmd": \[/ { inside = 1; command = ""; next }
inside && /^ *\]/ { inside = 0; next }
inside { command = command (command == "" ? "" : " ") text($0) }
/^ *"name": "/ { print text($0) "\t" command }
