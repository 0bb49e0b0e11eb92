"""The parts of weft_ray that need no cluster: words, exit codes, and a rank as a process."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PACKAGE = str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "ray")
sys.path.insert(0, PACKAGE)
from weft_ray.outcome import describe, exit_code  # noqa: E402
from weft_ray.process import RankProcess, find_program, rank_environment  # noqa: E402
from weft_ray.words import has_begun, run_marks, words_of_attempt  # noqa: E402


class Outcome(unittest.TestCase):
    def test_an_error_is_told_before_the_loss_that_it_caused(self):
        self.assertEqual(exit_code([0, 0]), 0)
        self.assertEqual(exit_code([75, 3]), 3)
        self.assertEqual(exit_code([75, -signal.SIGKILL]), 75)
        self.assertEqual(exit_code([0, None]), 75)
        self.assertEqual(exit_code([-signal.SIGTERM, 75]), 75)

    def test_a_signal_that_was_passed_on_is_the_end_of_the_run(self):
        self.assertEqual(exit_code([143, -signal.SIGTERM], signal.SIGTERM), 143)
        self.assertEqual(exit_code([75, -signal.SIGKILL], signal.SIGTERM), 143)
        self.assertEqual(exit_code([0, 0], signal.SIGTERM), 0)

    def test_ranks_that_could_not_say_it_are_named(self):
        self.assertIsNone(describe(1, "host", 75))
        self.assertIn("rank 1 on host was ended by signal 9", describe(1, "host", -9))
        self.assertIn("rank 2 on host is gone", describe(2, "host", None))


class WordsOfAttempts(unittest.TestCase):
    def test_later_attempts_go_on(self):
        self.assertEqual(words_of_attempt("a.cfg", "out", 2, ["--x.y", "1"], False, False, False),
                         ["train", "a.cfg", "--threads", "2", "--output", "out", "--x.y", "1"])
        self.assertEqual(words_of_attempt("a.cfg", "out", 2, [], True, False, True)[-1], "--resume")

    def test_without_an_output_they_begin_again(self):
        self.assertEqual(words_of_attempt("a.cfg", None, 1, [], False, False, False),
                         ["train", "a.cfg", "--threads", "1"])

    def test_those_that_go_on_do_so_from_their_own_checkpoint(self):
        given = ["--checkpoint", "old/checkpoint", "--x.y", "1", "--checkpoint=b"]
        self.assertEqual(words_of_attempt(None, "out", 1, given, False, True, False)[-5:], given)
        self.assertEqual(words_of_attempt(None, "out", 1, given, True, True, False)[-3:], ["--resume", "--x.y", "1"])

    def test_an_older_run_in_the_folder_has_not_begun(self):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder)
            self.assertEqual(run_marks(output / "none"), [None, None])
            (output / "run.json").write_text("{}")
            (output / "checkpoint").mkdir()
            (output / "checkpoint/state.json").write_text("{}")
            before = run_marks(output)
            self.assertFalse(has_begun(before, run_marks(output)))
            (output / "run.json").unlink()
            self.assertFalse(has_begun(before, run_marks(output)))  # it is being cleared
            (output / "new.json").write_text("{}")
            (output / "new.json").rename(output / "run.json")
            self.assertTrue(has_begun(before, run_marks(output)))


class Environment(unittest.TestCase):
    def test_ranks_are_those_of_ray_and_of_no_other_launcher(self):
        base = {"PATH": "/bin", "PMIX_RANK": "7", "OMPI_COMM_WORLD_RANK": "7", "OMP_NUM_THREADS": "1"}
        found = rank_environment(base, 1, 2, "10.0.0.1", 4000, {"WEFT_X": "1"})
        self.assertEqual(found, {"PATH": "/bin", "WEFT_X": "1", "RANK": "1", "WORLD_SIZE": "2",
                                 "MASTER_ADDR": "10.0.0.1", "MASTER_PORT": "4000"})

    def test_a_missing_program_names_the_host(self):
        path = os.environ["PATH"]
        try:
            os.environ["PATH"] = "/nowhere"
            self.assertRaisesRegex(FileNotFoundError, "neither /a/weft nor weft", find_program, "/a/weft")
        finally:
            os.environ["PATH"] = path


def ended(process):
    out = err = b""
    while True:
        over, code, more_out, more_err = process.poll()
        out, err = out + more_out, err + more_err
        if over:
            return code, out, err
        time.sleep(0.01)


class Process(unittest.TestCase):
    def test_gives_code_and_output(self):
        process = RankProcess(["sh", "-c", "echo $RANK; echo no >&2; exit 4"], "/", {"RANK": "1", "PATH": "/bin"}, True)
        self.assertEqual(ended(process), (4, b"1\n", b"no\n"))

    def test_only_the_first_rank_is_listened_to(self):
        process = RankProcess(["sh", "-c", "echo 1; echo no >&2"], "/", {"PATH": "/bin"}, False)
        self.assertEqual(ended(process), (0, b"", b"no\n"))

    def test_takes_signals(self):
        process = RankProcess(["sleep", "60"], "/", {"PATH": "/bin"}, True)
        process.send(signal.SIGTERM)
        self.assertEqual(ended(process)[0], -signal.SIGTERM)

    def test_a_missing_folder_names_the_host(self):
        self.assertRaisesRegex(FileNotFoundError, "no folder /nowhere", RankProcess, ["true"], "/nowhere", {}, True)

    def test_ends_with_its_worker(self):
        worker = subprocess.Popen([sys.executable, "-c", f"""
import sys, time
sys.path.insert(0, {PACKAGE!r})
from weft_ray.process import RankProcess
print(RankProcess(["sleep", "60"], "/", {{"PATH": "/bin"}}, True).pid, flush=True)
time.sleep(60)"""], stdout=subprocess.PIPE, text=True)
        pid = int(worker.stdout.readline())
        worker.kill()
        worker.wait()
        worker.stdout.close()
        self.assertTrue(is_over(pid))


def is_over(pid):
    for _ in range(200):
        try:
            state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False


if __name__ == "__main__":
    unittest.main()
