"""Samples: a run tries a part of the cases, another one each time. WEFT_TEST_TURN says which, and is printed;
WEFT_TEST_ALL tries all."""
import os
import time

TURN = int(os.environ.get("WEFT_TEST_TURN") or time.time() % 10000)
SHARE = 1 if os.environ.get("WEFT_TEST_ALL") else int(os.environ.get("WEFT_TEST_SHARE") or 1)
SANITIZED = bool(os.environ.get("WEFT_TEST_SANITIZED"))  # with AddressSanitizer
FEW = 4 if SANITIZED or SHARE > 2 else 1  # one in so many of the cases that take seconds, or minutes with sanitizers


def of_this_turn(cases, part):
    """One case in `part`: those of this turn."""
    if part <= 1 or os.environ.get("WEFT_TEST_ALL"):
        return list(cases)
    print(f"# sample: one case in {part}, turn {TURN} (set WEFT_TEST_TURN to change it, WEFT_TEST_ALL for all)")
    return [case for number, case in enumerate(cases, 1) if (number + TURN) % part == 0]


def leaks(number):
    """What to add to the environment of case `number`: with AddressSanitizer one case in four looks for leaks, which
    takes as long as all else that a process does."""
    if not SANITIZED or os.environ.get("WEFT_TEST_ALL") or (number + TURN) % 4 == 0:
        return {}
    return {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
