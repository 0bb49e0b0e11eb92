"""Training on a local Ray cluster of two machines (raylets) with a CPU each: test_cluster.py WEFT CONFIGS WORK

A run whose rank is killed goes on from its checkpoint and ends with the bytes of a run that was left alone.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

import ray
from ray.cluster_utils import Cluster

WEFT, CONFIGS, WORK = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
STORE_BYTES = 80_000_000
STEPS = 120
SETTINGS = ["--paths.train", CONFIGS / "data/wnut17/dev.conll", "--paths.dev", CONFIGS / "data/wnut17/dev.conll",
            "--corpora.train.limit", "200", "--corpora.dev.limit", "100",
            "--components.tok2vec.model.encode.width", "24", "--components.tok2vec.model.encode.depth", "2",
            "--components.tok2vec.model.embed.rows", "[500,100,250,250]",
            "--training.eval_frequency", "20", "--training.max_steps", str(STEPS),
            "--training.checkpoints.every_steps", "10"]
# As few other deadlines as possible: ranks find each other at once, or have been lost.
BLOCK = '\n[training.distributed]\n@distributed = "sync.v1"\nmin_shards = 2\ndeadline = 20.0\n'


def results(output):
    """Weights, moments and scores; states and logs hold times."""
    files = {}
    for path in sorted(output.rglob("*")):
        name = str(path.relative_to(output))
        if path.is_file() and re.match(r"model-(best|last)/|checkpoint/.*safetensors", name):
            files[name] = path.read_bytes()
    return files


def process_of_rank(output, rank):
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            variables = (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if os.fsencode(str(output)) in words and f"RANK={rank}".encode() in variables:
            return int(folder.name)
    return None


class OnACluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(WORK, ignore_errors=True)
        WORK.mkdir(parents=True)
        cls.config = WORK / "ranks.cfg"
        cls.config.write_text((CONFIGS / "ner_tok2vec.cfg").read_text() + BLOCK)
        one = {"num_cpus": 1, "object_store_memory": STORE_BYTES}
        cls.cluster = Cluster(initialize_head=True, head_node_args={**one, "include_dashboard": False})
        cls.cluster.add_node(**one)
        cls.cluster.wait_for_nodes()
        whole = cls.start("whole", [], on_ray=False)
        assert whole.wait(200) == 0, cls.told("whole")
        cls.expected = results(WORK / "whole")
        assert len(cls.expected) > 10

    @classmethod
    def tearDownClass(cls):
        cls.cluster.shutdown()

    @classmethod
    def start(cls, name, more, on_ray=True):
        words = [WEFT, "ray", "train"] if on_ray else [WEFT, "train"]
        words += [cls.config, "--output", WORK / name, *SETTINGS, *more]
        if on_ray:
            words += ["--n-workers", "2", "--address", cls.cluster.address]
        environment = {**os.environ, "VIRTUAL_ENV": sys.prefix, "PMIX_RANK": "5"} if on_ray else None
        with open(WORK / f"{name}.txt", "ab") as told:
            return subprocess.Popen([str(word) for word in words], stdout=told, stderr=told, env=environment)

    @staticmethod
    def told(name):
        return (WORK / f"{name}.txt").read_text()

    def kill_after_checkpoint(self, name, run, rank, number):
        deadline = time.monotonic() + 100
        while not (WORK / name / "checkpoint").exists():
            self.assertIsNone(run.poll(), self.told(name))
            self.assertLess(time.monotonic(), deadline, self.told(name))
            time.sleep(0.01)
        process = process_of_rank(WORK / name, rank)
        self.assertIsNotNone(process, self.told(name))
        os.kill(process, number)

    def assert_whole(self, name):
        found = results(WORK / name)
        self.assertEqual(found.keys(), self.expected.keys())
        self.assertEqual([path for path in found if found[path] != self.expected[path]], [])

    def test_a_run_that_is_left_alone(self):
        run = self.start("alone", [])
        self.assertEqual(run.wait(200), 0, self.told("alone"))
        self.assertIn("training on 2 ranks by sync.v1 over gloo", self.told("alone"))
        self.assertIn("the run ended", self.told("alone"))
        self.assert_whole("alone")

    def test_a_killed_rank_is_started_again_from_the_checkpoint(self):
        for rank in (1, 0):
            name = f"killed{rank}"
            run = self.start(name, ["--max-restarts", "2"])
            self.kill_after_checkpoint(name, run, rank, signal.SIGKILL)
            self.assertEqual(run.wait(200), 0, self.told(name))
            self.assertRegex(self.told(name), f"rank {rank} on .* was ended by signal 9")
            self.assertIn("starting the ranks again (1 of 2)", self.told(name))
            self.assert_whole(name)

    def test_without_restarts_the_code_says_that_another_try_may_succeed(self):
        run = self.start("lost", [])
        self.kill_after_checkpoint("lost", run, 1, signal.SIGKILL)
        self.assertEqual(run.wait(100), 75, self.told("lost"))
        run = self.start("lost", ["--resume"])
        self.assertEqual(run.wait(200), 0, self.told("lost"))
        self.assert_whole("lost")

    def test_a_signal_saves_and_ends_all(self):
        run = self.start("ended", [])
        self.kill_after_checkpoint("ended", run, 1, 0)
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(100), 128 + signal.SIGTERM, self.told("ended"))
        self.assertIn("interrupted by", self.told("ended"))
        self.assertTrue((WORK / "ended/model-last").exists())

    def test_an_error_of_the_config_keeps_its_code(self):
        run = self.start("wrong", ["--training.dropout", "7"])
        self.assertEqual(run.wait(100), 2, self.told("wrong"))
        self.assertIn("training.dropout", self.told("wrong"))

    def test_too_few_cpus_are_told(self):
        run = self.start("many", ["--threads", "2", "--wait", "2"])
        self.assertEqual(run.wait(100), 1, self.told("many"))
        self.assertIn("no place for 2 ranks of 2 CPUs", self.told("many"))

    def test_the_function_gives_the_folder(self):
        import weft_ray
        ray.init(address=self.cluster.address, log_to_driver=False)
        try:
            folder = weft_ray.train(self.config, WORK / "called", n_workers=2, weft=str(WEFT),
                                    words=[str(word) for word in SETTINGS])
        finally:
            ray.shutdown()
        self.assertEqual(folder, WORK / "called/model-best")
        self.assert_whole("called")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
