# count.awk - count test cases over the records of tests/tap, say which failed, and end with the totals.
#
# A record is TAP: a plan "1..N", a line "ok" or "not ok" for each case, and tests/tap's last line "# exit status N". It is a
# failure when any of them is missing, so that no test passes by saying nothing. A record sanitizer.PID is a sanitizer's report.
# The variable `ended` is the exit status of what ran the tests.

function name() {
    sub(/.*\//, "", file)
    sub(/\.[0-9]+$/, "", file)
    return file
}

function fault(count, what) {
    failed += count
    print "FAILED " name() ": " what
}

function skip(what) {
    skipped++
    print "skipped " name() ": " what
}

# What the record as a whole says, once its last line has been read.
function finish() {
    if (!file || report)
        return
    if (status == "")
        fault(plan > seen ? plan - seen : 1, "did not end, or never began")
    else if (seen < plan)
        fault(plan - seen, "ended after " seen " of " plan " cases, exit status " status)
    else if (!planned)
        fault(1, "has no plan (1..N): it ended early, or did not start; exit status " status)
    else if (seen > plan)
        fault(1, "has " seen " cases, and its plan only " plan)
    else if (!plan && !whole_skip)
        fault(1, "has no case")
    else if (status != 0 && !bad)
        fault(1, "exit status " status " after its last case")
}

FNR == 1 {
    finish()
    file = FILENAME
    report = FILENAME ~ /\/sanitizer\.[0-9]+$/
    status = ""
    plan = planned = seen = bad = whole_skip = 0
}

report {
    if (/ERROR: |runtime error: |WARNING: (Memory|Thread)Sanitizer/)
        fault(1, $0)
    next
}

/^1\.\.[0-9]+/ {
    planned = 1
    plan = substr($1, 4) + 0
    if (!plan && /# SKIP/) {
        whole_skip = 1
        skip(substr($0, 6))
    }
}

/^(not )?ok .*# SKIP/ {
    seen++
    skip(substr($0, /^not/ ? 8 : 4))
    next
}

/^ok / {
    seen++
    passed++
}

/^not ok / {
    seen++
    bad++
    fault(1, substr($0, 8))
}

/^Bail out!/ {
    bad++
    fault(1, $0)
}

/^# exit status / { status = $4 }

END {
    finish()
    file = "tests"
    if (ended + 0 != 0 && !failed)
        fault(1, "what ran them ended with exit status " ended)
    if (skipped)
        print skipped " skipped"
    print passed + 0 " passed, " failed + 0 " failed"
    exit failed != 0 || passed == 0
}
