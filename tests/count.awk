# count.awk - count test cases over the records of tests/tap, say which failed, and end with the totals.
#
# A test program speaks TAP (a plan "1..N" and a line "ok" or "not ok" for each case); one without a plan, such as
# a fuzzer, is a single case that its exit status decides.

function name() {
    sub(/.*\//, "", file)
    sub(/\.[0-9]+$/, "", file)
    return file
}

function fault(count, what) {
    failed += count
    print "FAILED " name() ": " what
}

function finish() {
    if (!file)
        return
    if (status == "")
        fault(plan > seen ? plan - seen : 1, "did not end (it was stopped from outside)")
    else if (!planned && status == 77)
        skipped++
    else if (!planned && status == 0)
        passed++
    else if (!planned)
        fault(1, "exit status " status)
    else if (seen < plan)
        fault(plan - seen, "ended after " seen " of " plan " cases, exit status " status)
    else if (status != 0 && !bad)
        fault(1, "exit status " status " after its last case")
}

FNR == 1 {
    finish()
    file = FILENAME
    status = ""
    plan = planned = seen = bad = 0
}

/^1\.\.[0-9]+/ {
    planned = 1
    plan = substr($1, 4) + 0
}

# cmocka says "not ok N # SKIP" for a test that skips itself.
/^(not )?ok .*# SKIP/ {
    seen++
    skipped++
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

/^# exit status / { status = $4 }

END {
    finish()
    if (skipped)
        print skipped " skipped"
    print passed + 0 " passed, " failed + 0 " failed"
    exit failed != 0 || passed == 0
}
