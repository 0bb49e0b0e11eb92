#!/usr/bin/env python3
"""Says which tests were skipped and why: skipped_tests.py RESULTS.xml

RESULTS.xml is what `ctest --output-junit` writes. Prints how many of all tests were skipped, then
a line for each reason with the number of its tests, the most frequent first.
"""
import collections
import re
import sys
import xml.etree.ElementTree

LONGEST = 140  # characters of a reason


def reason_of(case):
    """The words of the test: after GoogleTest's line "FILE:LINE: Skipped", or after "SKIPPED: "."""
    output = case.findtext("system-out") or ""
    told = re.search(r"^\S+:\d+: Skipped\n(.*?)$", output, re.MULTILINE)
    told = told or re.search(r"^SKIPPED: (.*?)$", output, re.MULTILINE)
    text = told.group(1).strip() if told else ""
    if not text:
        text = "no reason given, as in " + case.get("name", "?")
    return text if len(text) <= LONGEST else text[: LONGEST - 4] + " ..."


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: skipped_tests.py RESULTS.xml")
    cases = list(xml.etree.ElementTree.parse(sys.argv[1]).getroot().iter("testcase"))
    skipped = [case for case in cases if case.find("skipped") is not None]
    if not skipped:
        print(f"Skipped: none of {len(cases)} tests")
        return
    print(f"Skipped: {len(skipped)} of {len(cases)} tests")
    for reason, count in collections.Counter(map(reason_of, skipped)).most_common():
        print(f"{count:6}  {reason}")


if __name__ == "__main__":
    main()
