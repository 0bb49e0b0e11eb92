"""Runs all sections of an acceptance and writes its report. Started by gpu_acceptance.sh, which says how."""
import argparse
import importlib
import pathlib
import sys
import tempfile
import time

import report
from session import NoEnvironment, OutOfTime, Session, Unusable

SECTIONS = ["environment", "kernel_tests", "training_bytes", "rows", "training_speed", "prediction", "op_times", "scores",
            "sanitizer"]


def arguments():
    parser = argparse.ArgumentParser(prog="gpu_acceptance.sh")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("gpu_acceptance_out"),
                        help="folder of report.md, results.json and log.txt")
    parser.add_argument("--gpu", type=int, default=0, help="number of the GPU")
    parser.add_argument("--seconds", type=float, default=570, help="time for everything")
    parser.add_argument("--short", action="store_true", help="few tests and small corpora: tries the script itself")
    parser.add_argument("--only", help="sections, separated by commas: " + ", ".join(SECTIONS))
    parser.add_argument("--sanitizer", default="", help="the program compute-sanitizer, where it is not found by itself")
    options = parser.parse_args()
    options.sections = options.only.split(",") if options.only else SECTIONS
    unknown = [name for name in options.sections if name not in SECTIONS]
    if unknown:
        parser.error(f"no section {unknown[0]}; there are: {', '.join(SECTIONS)}")
    return options


def run_section(session, name):
    """Whether the sections behind it can be tried."""
    section = importlib.import_module(name)
    start = time.monotonic()
    session.section = name.replace("_", " ")
    session.section_end = session.end if session.options.short else start + section.SECONDS
    if session.end - start < section.LEAST:
        session.note("all of it", "skipped", f"{session.end - start:.0f} s were left of {session.options.seconds:.0f}")
        return True
    try:
        section.run(session)
    except OutOfTime as error:
        session.note("the rest of the section", "skipped", f"{error} ({section.SECONDS} s are meant for the section)")
    except Unusable as error:
        session.check("commands end without an error", False, str(error))
    except NoEnvironment as error:
        session.note("libraries and a GPU are there", "no environment", str(error))
        return False
    finally:
        session.times[session.section] = time.monotonic() - start
    return True


def main():
    options = arguments()
    pack = pathlib.Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory(prefix="gpu_acceptance_") as work:
        session = Session(options, pack, pathlib.Path(work))
        for name in dict.fromkeys(["environment", *options.sections]):
            if not run_section(session, name):
                break
            print(f"{name}: {session.times.get(session.section, 0):.0f} s", flush=True)
            report.write(session, options.out)
        report.write(session, options.out)
    for check in session.checks:
        if check.verdict not in ("right", "absent"):
            print(f"{check.verdict}: {check.section}: {check.name}: {check.text.splitlines()[0] if check.text else ''}")
    print(f"{report.verdict(session)}; {options.out / 'report.md'}")
    return report.exit_code(session)


sys.exit(main())
