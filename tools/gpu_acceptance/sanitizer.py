"""compute-sanitizer over the kernels that index by data, and over a training of three steps."""
from kernel_tests import run_tests
from session import OutOfTime

SECONDS, LEAST = 120, 10

SHORT = "Devices/TableKernels.EveryEntryCountsOnce/cuda"
TESTS = ("Devices/TransitionKernels.*/cuda:Devices/RowKernels.*/cuda:Devices/TableKernels.*/cuda"
         ":Devices/GemmKernels.StridedMatrices/cuda:Devices/GemmKernels.AffineAddsTheBiasBeforeRounding/cuda")
TOOLS = ("memcheck", "racecheck")
FOUND = 86  # the exit code that the tool is told to give


def train_three_steps(session, wrapper, tool):
    words = session.train_words(f"sanitized-{tool}", {"training.max_steps": 3, "training.eval_frequency": 3,
                                                      "training.batcher.size": session.size(200, 60),
                                                      "paths.train": session.data / "dev.conll"})
    finished = session.run([*wrapper, session.weft, *words])
    text = f"{finished.seconds:.0f} s" if finished.code == 0 else f"exit code {finished.code}\n{finished.told()}"
    session.check(f"{tool}: a training of three steps", finished.code == 0, text)


def run(session):
    program = session.facts.get("compute-sanitizer", "not there")
    if program == "not there":
        return session.note("memcheck and racecheck", "absent", "compute-sanitizer is not on this machine")
    for tool in TOOLS:
        wrapper = [program, "--tool", tool, "--error-exitcode", FOUND]
        try:
            train_three_steps(session, wrapper, tool)
            run_tests(session, "framework_tests", session.size(TESTS, SHORT), wrapper)
        except OutOfTime as error:
            return session.note(tool, "skipped", str(error))
