# times.awk - over the records of tests/tap: the seconds of a processor that each test took, and its name.
function seconds(text,    part) {
    split(text, part, "m")
    return part[1] * 60 + part[2]
}
/^# processor time / {
    name = FILENAME
    sub(/.*\//, "", name)
    printf "%.2f %s\n", seconds($(NF - 1)) + seconds($NF), name
}
