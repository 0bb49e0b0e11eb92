#!/usr/bin/env python3
"""Plants small bugs in the sources, one at a time, and tells which of them no test sees.

    tools/mutate.py --draw 72 [--seed 18]            # fills the list up to 72 bugs that count
    tools/mutate.py --run [--open] [--near] [--only GROUP] [--id ID ...] [--jobs 1]
    tools/mutate.py --list [--only GROUP]

The list is tests/mutants.jsonl: a line for each bug with its place, by its text, and the verdict of the last
run: caught (with the test), survived, gone (its text stands there no more), invalid (does not compile), or
equivalent (written by hand, with the reason: the program does the same). Gone, invalid and equivalent ones do
not count; --draw draws others in their place. The groups of sources and their tests are in
tools/mutation/groups.py. A run works in build/mutation, a copy of the checkout with a build folder of its own
(ccache saves its first hour), writes each verdict at once, and with --open repeats those alone that are not
caught yet. With --near a bug meets only the tests of its own group. It ends with 1 if less than 95 % of those
that count are caught.
"""
import argparse
import collections
import json
import pathlib
import random
import sys
import time

from mutation.groups import EVERYTHING, GROUPS
from mutation.places import located, named, places
from mutation.trials import Scratch

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "mutants.jsonl"
WANTED = 0.95
# Warnings are errors; a bug is not spared for leaving something unused or without parentheses.
UNTIDY = "".join(f'#pragma GCC diagnostic ignored "-W{warning}"\n' for warning in (
    "parentheses", "empty-body", "unused-parameter", "unused-variable", "unused-but-set-variable", "unused-function",
    "implicit-fallthrough", "type-limits", "sign-compare"))
NOT_COUNTED = ("gone", "invalid", "equivalent")


def read_list():
    return [json.loads(line) for line in LIST.read_text().splitlines()] if LIST.exists() else []


def write_list(records):
    """In one piece, so that an interrupted run keeps its verdicts."""
    new = LIST.with_suffix(".new")
    new.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))
    new.replace(LIST)


def counts(record):
    return record["verdict"] not in NOT_COUNTED


def pool_of(group):
    """Records of all places of a group by kind."""
    pool = collections.defaultdict(list)
    for pattern in GROUPS[group].files:
        for path in sorted(ROOT.glob(pattern)):
            file, source = str(path.relative_to(ROOT)), path.read_text()
            for place in places(source):
                record = named(source, place, file)
                pool[record["kind"]].append(record)
    return pool


def mark_gone(records):
    """Bugs whose text was rewritten since count no longer; only a run could tell so otherwise."""
    for record in records:
        path = ROOT / record["file"]
        if counts(record) and (not path.exists() or located(path.read_text(), record) is None):
            record["verdict"] = "gone"
            record.pop("by", None)


def draw(records, wanted, seed):
    """Fills every group up to its share. First the kind is drawn, so that constants do not crowd out the rest."""
    mark_gone(records)
    for index, group in enumerate(GROUPS):
        own = [record for record in records if record["group"] == group]
        missing = wanted // len(GROUPS) + (index < wanted % len(GROUPS)) - sum(map(counts, own))
        taken = {(record["file"], record["lines"][-1]) for record in own}
        pool, chance = pool_of(group), random.Random(f"{seed} {group} {len(own)}")
        number = len(own)
        while missing > 0 and any(pool.values()):
            kind = chance.choice(sorted(kind for kind in pool if pool[kind]))
            record = pool[kind].pop(chance.randrange(len(pool[kind])))
            if (record["file"], record["lines"][-1]) in taken:
                continue  # one bug for each line
            if located((ROOT / record["file"]).read_text(), record) is None:
                continue  # its text stands there twice
            taken.add((record["file"], record["lines"][-1]))
            number, missing = number + 1, missing - 1
            records.append({"id": f"{group}-{number:02}", "group": group, **record, "verdict": "open"})
    records.sort(key=lambda record: (list(GROUPS).index(record["group"]), record["id"]))


def try_one(scratch, record, steps):
    """Plants the bug, builds, lets the tests look, takes it out again; sets the verdict."""
    path = scratch.folder / record["file"]
    source = path.read_text() if path.exists() else ""
    place = located(source, record)
    before = record.pop("by", "").split(" ")
    if place is None:
        record["verdict"] = "gone"
        return
    path.write_text(UNTIDY + source[:place.start] + place.new + source[place.start + len(place.old):])
    try:
        if not scratch.build({step[0] for step in steps})[0]:
            record["verdict"] = "invalid"
            return
        # Most likely the test that saw it before sees it again.
        again = [(before[0], before[1])] if len(before) > 1 else []
        by = scratch.seen_by([*again, *steps])
        record["verdict"] = "caught" if by else "survived"
        if by:
            record["by"] = by
    finally:
        path.write_text(source)


def run(records, chosen, near, jobs):
    scratch = Scratch(ROOT, ROOT / "build" / "mutation", jobs)
    scratch.update()
    steps_of = {record["group"]: [*GROUPS[record["group"]].first, *(() if near else EVERYTHING)] for record in chosen}
    steps = [step for steps in steps_of.values() for step in steps]
    built, output = scratch.build({step[0] for step in steps})
    if not built:
        sys.exit(output[-5000:])
    print("running the tests without a bug", flush=True)
    scratch.measure(steps)
    for record in chosen:
        start = time.monotonic()
        try_one(scratch, record, steps_of[record["group"]])
        write_list(records)
        print(f"{record['id']:<18}{record['verdict']:<10}{record.get('by', ''):<60}"
              f"{time.monotonic() - start:6.0f} s", flush=True)


def shown(record):
    return (f"  {record['id']}  {record['file']}: {record['lines'][-1]}\n"
            f"      {record['kind']}: {record['old']}  ->  {record['new']}")


def report(records):
    """Prints the rate and what does not count; whether the rate is high enough."""
    counted = [record for record in records if counts(record)]
    for title, verdict in (("no test sees", "survived"), ("not tried yet", "open"), ("gone", "gone"),
                           ("do not compile", "invalid"), ("change nothing", "equivalent")):
        of_verdict = [record for record in records if record["verdict"] == verdict]
        if of_verdict:
            print(f"{title}:")
        for record in of_verdict:
            print(shown(record) + (f"\n      {record['reason']}" if "reason" in record else ""))
    caught = sum(record["verdict"] == "caught" for record in counted)
    print(f"{caught} of {len(counted)} caught ({100 * caught / max(1, len(counted)):.1f} %)")
    return caught >= WANTED * len(counted)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draw", type=int, metavar="N", help="fill the list up to N bugs that count")
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--run", action="store_true", help="try the bugs of the list")
    parser.add_argument("--open", action="store_true", help="only those that are not caught yet")
    parser.add_argument("--only", choices=GROUPS, help="only those of this group")
    parser.add_argument("--near", action="store_true", help="ask only the tests of a bug's own group")
    parser.add_argument("--id", nargs="+", help="only these")
    parser.add_argument("--jobs", type=int, default=1, help="processes that compile")
    parser.add_argument("--list", action="store_true", help="show the list and its verdicts")
    args = parser.parse_args()
    records = read_list()
    if args.draw:
        draw(records, args.draw, args.seed)
        write_list(records)
    chosen = [record for record in records
              if (record["verdict"] not in ("equivalent", "invalid") or args.id)
              and (not args.only or record["group"] == args.only) and (not args.id or record["id"] in args.id)
              and (not args.open or record["verdict"] in ("open", "survived") or args.id)]
    if args.run:
        run(records, chosen, args.near, args.jobs)
    elif args.list:
        for record in chosen:
            print(f"{shown(record)}\n      {record['verdict']} {record.get('by', '')}")
    sys.exit(0 if report([r for r in records if not args.only or r["group"] == args.only]) else 1)


if __name__ == "__main__":
    main()
