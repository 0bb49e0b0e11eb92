#!/usr/bin/env python3
"""Packs the acceptance of a GPU with the emulated device, and runs it short: acceptance.py SOURCE BUILD WORK

A right run has to count as right, and no other: a device that fails, a library that is not there and a
time that is too short end with the exit codes that stand for them.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

SOURCE, BUILD, WORK = map(pathlib.Path, sys.argv[1:4])
# Nothing of this machine's settings: the pack has to bring what it needs.
ENVIRONMENT = {"PATH": os.path.dirname(sys.executable) + ":/usr/bin:/bin", "HOME": str(WORK), "TMPDIR": str(WORK)}
# As compute-sanitizer is called, which needs a GPU.
STAND_IN = '#!/bin/sh\n[ "$1 $3 $4" = "--tool --error-exitcode 86" ] || exit 9\nshift 4\nexec "$@"\n'


def run(words, env=None):
    return subprocess.run([str(word) for word in words], env={**ENVIRONMENT, **(env or {})}, cwd=WORK, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def expect(is_right, what, told):
    print(("right: " if is_right else "WRONG: ") + what, flush=True)
    if not is_right:
        sys.exit(told)


def accept(pack, out, more, env=None):
    done = run([pack / "gpu_acceptance.sh", "--short", "--out", WORK / out, *more], env)
    results = json.loads((WORK / out / "results.json").read_text()) if (WORK / out / "results.json").exists() else {}
    return done, results


def right_run(archive):
    """From the archive, as on a machine that has nothing else."""
    stand_in = WORK / "sanitizer"
    stand_in.write_text(STAND_IN)
    stand_in.chmod(0o755)
    done = run([SOURCE / "tools" / "gpu_acceptance.sh", archive, "--short", "--out", WORK / "right", "--sanitizer", stand_in,
                "--seconds", "3000"])
    report = (WORK / "right" / "report.md").read_text()
    results = json.loads((WORK / "right" / "results.json").read_text())
    others = [check for check in results["checks"] if check["verdict"] != "right"]
    expect(done.returncode == 3 and not others, "everything is right, and nothing is as fast as a GPU", f"{done.stdout}\n{others}")
    sections = {check["section"] for check in results["checks"]}
    wanted = {"environment", "kernel tests", "training bytes", "rows", "scores", "sanitizer"}
    expect(wanted <= sections, "every section that checks has checked", str(sections))
    names = ("training O0 100 words/s", "training O1 100 bytes", "update O0 100 operations", "group waits",
             "prediction O0 ids words/s", "prediction O0 text words/s")
    missing = [name for name in names if not results["measures"].get(name, 0) > 0]
    expect(not missing, "speed, memory and queued work were measured", str(missing))
    said = ("The emulated device stood in the GPU's place", "## Targets", "Time of ops in prediction", "maxout_block_forward")
    expect(all(text in report for text in said), "the report says what stood in the GPU's place", report)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    archive = WORK / "pack.tar.gz"
    packed = subprocess.run([SOURCE / "tools" / "pack_gpu_acceptance.sh", "--emulated", "--build", BUILD, archive], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    expect(packed.returncode == 0, "the pack is made, and not too large", packed.stdout)
    right_run(archive)
    run(["tar", "-xzf", archive])
    pack = next(WORK.glob("*/manifest.json")).parent
    done, results = accept(pack, "faulty", ["--only", "training_bytes"], {"WEFT_EMULATED_FAULT": "1"})
    expect(done.returncode == 1 and results["exit_code"] == 1, "a device that fails is wrong", done.stdout)
    done, results = accept(pack, "late", ["--only", "scores", "--seconds", "2"])
    expect(done.returncode == 3 and "were left" in done.stdout, "a section without time is skipped, and not right", done.stdout)
    (pack / "lib" / "libweft_cuda.so").unlink()
    done, results = accept(pack, "without", [])
    expect(done.returncode == 2 and "libweft_cuda.so" in done.stdout, "a machine without the library lacks something", done.stdout)


main()
