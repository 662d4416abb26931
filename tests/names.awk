# names.awk - NAME, a tab and the command of each test, from meson-info/intro-tests.json of a build folder.
# What lies between quotes is a string: the second, fourth and so on part. None of ours has a quote in it.
{ json = json $0 }
END {
    n = split(json, part, "\"")
    for (i = 2; i < n; i += 2) {
        if (part[i - 1] ~ /\]/)
            inside = 0
        if (part[i + 1] ~ /^: *\[/ && part[i] == "cmd") {
            inside = 1
            command = ""
        } else if (inside) {
            command = command (command == "" ? "" : " ") part[i]
        } else if (part[i + 1] ~ /^:/) {
            key = part[i]
        } else if (key == "name") {
            print part[i] "\t" command
        }
    }
}
