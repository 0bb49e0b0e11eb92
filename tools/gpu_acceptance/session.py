"""Shared by the sections: where things are, how long is left, and what was found."""
import dataclasses
import json
import os
import signal
import subprocess
import time

import corpora


# Of short runs.
SMALL_NETWORK = {"components.ner.model.tok2vec.encode.width": 32, "components.ner.model.tok2vec.encode.depth": 1,
                 "components.ner.model.tok2vec.embed.rows": "[200, 100, 100, 100]", "components.ner.model.hidden_width": 16}


class OutOfTime(Exception):
    """The section's seconds, or those of the whole run, are over."""


class NoEnvironment(Exception):
    """The machine lacks something without which nothing can be tried."""


class Unusable(Exception):
    """A command of a measurement ended with an error."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


@dataclasses.dataclass
class Check:
    """`verdict`: right, wrong, skipped (for lack of time) or absent (nothing to try)."""
    section: str
    name: str
    verdict: str
    text: str = ""


@dataclasses.dataclass
class Finished:
    code: int
    out: str
    err: str
    seconds: float

    def told(self):
        """The last lines, for a report."""
        return "\n".join((self.out + self.err).strip().splitlines()[-12:])


class Session:
    """One run. Sections add to `checks`, `measures` ({name: number}) and `tables` ([title, rows])."""

    def __init__(self, options, pack, work):
        self.options, self.pack, self.work = options, pack, work
        self.weft = pack / "bin" / "weft"
        self.data = pack / "data" / "wnut17"
        self.config = pack / "configs" / "ner.cfg"
        self.manifest = json.loads((pack / "manifest.json").read_text())
        self.begin = time.monotonic()
        self.end = self.begin + options.seconds
        self.section, self.section_end = "", self.end
        self.checks, self.measures, self.tables, self.times = [], {}, [], {}
        self.facts, self.libraries, self.log = {}, [], []
        self.few = work / "few.conll"  # what runs are evaluated on whose scores do not matter
        corpora.write_conll(self.few, corpora.sentences(self.data / "dev.conll", 20))

    def left(self):
        return min(self.end, self.section_end) - time.monotonic()

    def size(self, whole, short):
        """A number of the whole run, or of the short one."""
        return short if self.options.short else whole

    def check(self, name, is_right, text=""):
        self.checks.append(Check(self.section, name, "right" if is_right else "wrong", text))

    def note(self, name, verdict, text):
        self.checks.append(Check(self.section, name, verdict, text))

    def measure(self, name, value):
        self.measures[name] = value

    def environment(self, more=None):
        env = dict(os.environ)
        folders = [str(self.pack / "lib"), *self.libraries, env.get("LD_LIBRARY_PATH", "")]
        env["LD_LIBRARY_PATH"] = ":".join(folder for folder in folders if folder)
        env["TEST_TMPDIR"] = str(self.work) + "/"
        env.update(more or {})
        return env

    def run(self, words, env=None):
        """Runs a program to its end within the time of the section; OutOfTime where that is too short."""
        words = [str(word) for word in words]
        if self.left() < 1:
            raise OutOfTime("no time was left for " + " ".join(words[:3]))
        start = time.monotonic()
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                                   env=self.environment(env), cwd=self.work, start_new_session=True)
        try:
            out, err = process.communicate(timeout=self.left())
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise OutOfTime(f"{' '.join(words[:3])} was stopped after {time.monotonic() - start:.0f} s") from None
        finished = Finished(process.returncode, out, err, time.monotonic() - start)
        self.log.append(f"$ {' '.join(words)}\n# {self.section}: exit code {finished.code}, {finished.seconds:.1f} s\n")
        if finished.code != 0:
            self.log.append(finished.told() + "\n")
        return finished

    def run_weft(self, words, env=None):
        """As `run`, for commands that have to succeed."""
        finished = self.run([self.weft, *words], env)
        if finished.code != 0:
            text = f"weft {' '.join(str(word) for word in words[:3])}: exit code {finished.code}\n{finished.told()}"
            raise Unusable(text, finished.code)
        return finished

    def gpu_words(self, on_gpu=True):
        return ["--gpu-id", self.options.gpu] if on_gpu else []

    def train_words(self, output, settings, on_gpu=True, more=()):
        """The command that trains the config with these values in it."""
        values = {"paths.train": self.data / "train.conll", "paths.dev": self.few, "training.patience": 0}
        values.update(SMALL_NETWORK if self.options.short else {})
        values.update(settings)
        words = ["train", self.config, "--output", self.work / output, "--no-progress", *self.gpu_words(on_gpu), *more]
        if "--resume" not in more:
            words.append("--overwrite")
        for key, value in values.items():
            words += [f"--{key}", value]
        return words

    def train(self, output, settings, on_gpu=True, more=(), env=None):
        """Trains; gives the lines of the log."""
        self.run_weft(self.train_words(output, settings, on_gpu, more), env)
        return [json.loads(line) for line in (self.work / output / "log.jsonl").read_text().splitlines()]

    def counted(self, name):
        """The environment for a run whose queued work is counted, and the file of the counts."""
        file = self.work / f"{name}.json"
        file.unlink(missing_ok=True)
        return {"WEFT_CUDA_COUNTERS": str(file)}, file


def counts_of(file):
    if not file.exists():
        raise Unusable(f"the backend wrote no counters to {file.name}", 0)
    return json.loads(file.read_text())
