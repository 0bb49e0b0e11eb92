"""The tests of ops, streams and whole training runs on the device, beside the CPU; GEMMs that the library
refuses are errors."""
import json

SECONDS, LEAST = 130, 5

WHOLE = [("framework_tests", "Devices/*/cuda:CudaLibrary.IsUsed*"), ("components_tests", "Devices/*/cuda")]
SHORT = [("framework_tests", "Devices/RowKernels.*/cuda:Devices/TableKernels.*/cuda:Devices/DeviceStreams.*/cuda"
                             ":CudaLibrary.IsUsed*"),
         ("components_tests", "Devices/DeviceTrainingTest.T*/cuda")]


def outcomes(file):
    """{name: "right", "wrong" or "skipped"} of what a test program wrote."""
    found = {}
    for suite in json.loads(file.read_text())["testsuites"]:
        for case in suite["testsuite"]:
            verdict = "wrong" if "failures" in case else "skipped" if case["result"] == "SKIPPED" else "right"
            found[f"{suite['name']}.{case['name']}"] = verdict
    return found


def run_tests(session, program, chosen, wrapper=(), env=None):
    """Runs tests of a program; one check for all of them."""
    file = session.work / f"{session.section}-{program}.json".replace(" ", "-")
    file.unlink(missing_ok=True)
    environment = {"WEFT_NEEDS_GPU": "1", **(env or {})}
    words = [*wrapper, session.pack / "tests" / program, f"--gtest_filter={chosen}", f"--gtest_output=json:{file}"]
    finished = session.run(words, environment)
    found = outcomes(file) if file.exists() else {}
    bad = sorted(name for name, verdict in found.items() if verdict != "right")
    text = f"{len(found)} tests in {finished.seconds:.0f} s"
    if bad:
        text += "; wrong or skipped: " + ", ".join(bad[:8]) + (" ..." if len(bad) > 8 else "")
    if finished.code != 0:
        text += f"; exit code {finished.code}"
    session.check(f"{program} {chosen.split(':')[0]}", bool(found) and not bad and finished.code == 0, text)
    return finished


def run(session):
    for program, chosen in session.size(WHOLE, SHORT):
        run_tests(session, program, chosen, env={"WEFT_CUDA_STRICT": "1"})
