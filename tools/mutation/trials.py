"""A copy of the checkout with a build folder of its own, in which one planted bug at a time meets the tests."""
import contextlib
import math
import os
import re
import resource
import signal
import subprocess
import sys

from mutation.groups import RUNNERS

GIGABYTE = 1 << 30
# A bug may allocate or write without end. Tests of the program allow themselves 1 to 4 GB each.
MOST_MEMORY = 16 * GIGABYTE
MOST_FILE = 2 * GIGABYTE
# Processor time tells a hang from a busy machine; the clock finds a process that waits for ever.
SLOWER, SECONDS_MORE = 5, 60
CLOCK_SLOWER, CLOCK_SECONDS_MORE = 20, 600
SECONDS_TO_BUILD = 4 * 3600
OPTIONS = ["-DCMAKE_BUILD_TYPE=Release", "-DWEFT_TESTS=ON", "-DWEFT_BENCH=OFF", "-DWEFT_CUDA=OFF",
           # Tests load the shared libraries, so they need not be linked anew with each bug.
           "-DWEFT_WERROR=ON", "-DCMAKE_LINK_DEPENDS_NO_SHARED=ON"]


class Ended:
    """How a command ended: its exit code (None: it ran too long), what it printed, its processor time."""

    def __init__(self, words, folder, seconds=SECONDS_TO_BUILD, clock=SECONDS_TO_BUILD, **environment):
        before = processor_time()
        process = subprocess.Popen([str(word) for word in words], cwd=folder, start_new_session=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   preexec_fn=lambda: bound(seconds), env=os.environ | environment)
        try:
            output = process.communicate(timeout=clock)[0]
            self.code = process.returncode
        except subprocess.TimeoutExpired:
            end_all_of(process)
            output = process.communicate()[0]
            self.code = None
        finally:
            end_all_of(process)
        self.output = output.decode(errors="replace")
        self.seconds = processor_time() - before

    def culprit(self):
        """The test that failed or was running, as GoogleTest told."""
        failed = re.findall(r"^\[  FAILED  \] ([\w./]+)", self.output, re.M)
        begun = re.findall(r"^\[ RUN      \] ([\w./]+)", self.output, re.M)
        test = failed[0] if failed else begun[-1] if begun else ""
        if self.code in (None, -signal.SIGXCPU):
            return f"{test} (hangs)"
        return f"{test} ({signal.Signals(-self.code).name})" if self.code < 0 else test


def end_all_of(process):
    """Ends it and the programs that it started: a test that is killed leaves them behind."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def bound(seconds):
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 5))
    # Not of addresses: the emulated device of the tests reserves 64 GiB of them.
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE, MOST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Scratch:
    def __init__(self, root, folder, jobs):
        self.root, self.folder, self.jobs = root, folder, jobs
        self.build_folder = folder / "build"
        self.usual = {}  # processor time of each step without a bug

    def update(self):
        """Makes the copy equal to the checkout, writing only what differs."""
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=self.root, check=True,
                                capture_output=True).stdout.decode().split("\0")
        wanted = {name for name in listed if name and (self.root / name).is_file()}
        for name in wanted:
            content, target = (self.root / name).read_bytes(), self.folder / name
            if not target.is_file() or target.read_bytes() != content:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
                target.chmod((self.root / name).stat().st_mode)
        for target in self.folder.rglob("*"):
            name = target.relative_to(self.folder)
            if name.parts[0] != "build" and target.is_file() and str(name) not in wanted:
                target.unlink()
        made = Ended(["cmake", "-S", ".", "-B", "build", "-G", "Ninja", "--log-level=WARNING", *OPTIONS], self.folder)
        if made.code != 0:
            sys.exit(made.output)

    def build(self, targets):
        """Whether they compile and link, and what the compiler said."""
        ended = Ended(["cmake", "--build", "build", f"-j{self.jobs}", "--target", *sorted(targets)], self.folder)
        return ended.code == 0, ended.output

    def run(self, step, **limits):
        program, tests = step
        words = [self.build_folder / "tests" / program]
        if program in RUNNERS:
            words += [self.folder / record for record in RUNNERS[program]]
        else:
            words += [f"--gtest_filter={tests}", "--gtest_fail_fast"]
        scratch = self.build_folder / "tests" / "scratch"
        scratch.mkdir(parents=True, exist_ok=True)
        return Ended(words, self.folder, TEST_TMPDIR=f"{scratch}/", **limits)

    def measure(self, steps):
        """Runs the steps without a bug: one that fails or has no tests would make every verdict worthless."""
        for step in steps:
            if step in self.usual:
                continue
            ended = self.run(step)
            if ended.code != 0:
                ended = self.run(step)  # a machine that was too busy for once ends no run of hours
            if ended.code != 0 or "Running 0 tests" in ended.output:
                sys.exit(f"{' '.join(step)} does not pass without a bug: {ended.culprit()}\n{ended.output[-3000:]}")
            self.usual[step] = ended.seconds

    def seen_by(self, steps):
        """The first of the steps, with its test, that sees the planted bug; "" where none does."""
        for step in steps:
            # A single test takes at most what its program takes.
            usual = self.usual.get(step) or max(self.usual[other] for other in self.usual if other[0] == step[0])
            ended = self.run(step, seconds=SLOWER * usual + SECONDS_MORE,
                             clock=CLOCK_SLOWER * usual + CLOCK_SECONDS_MORE)
            if ended.code != 0:
                return f"{step[0]} {ended.culprit()}".strip()
        return ""
