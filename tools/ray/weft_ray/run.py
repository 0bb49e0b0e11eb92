"""A run of training on a cluster: its attempts, each from the checkpoint of the one before."""
import os
import pathlib
import signal
import sys
import threading

import ray

from .group import NoPlace, RankGroup, variables_to_pass_on
from .outcome import EXIT_OF_LOST_PEER
from .words import has_begun, run_marks, words_of_attempt

PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
# Ray's least. No tensor goes through its object store.
STORE_BYTES = 80_000_000


class RunFailed(Exception):
    """The run has ended otherwise than in order; `code` is the exit code that stands for it."""

    def __init__(self, code, message=""):
        super().__init__(message or f"the run ended with code {code}")
        self.code = code
        self.message = message


class Signals:
    """Those that ask the program to end are kept for the ranks while it lives. Python has handlers in its first
    thread alone: a run that is started from another one leaves them as they are."""

    def __enter__(self):
        self._come = []
        is_first = threading.current_thread() is threading.main_thread()
        self._before = {number: signal.signal(number, lambda number, _: self._come.append(number))
                        for number in PASSED_ON} if is_first else {}
        return self

    def __exit__(self, *_):
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def next(self):
        return self._come.pop(0) if self._come else None


def connect(address, cpus):
    """To the cluster at that address or at RAY_ADDRESS; without either Ray runs on this machine, with so many CPUs."""
    quiet = {"log_to_driver": False, "logging_level": "ERROR", "ignore_reinit_error": True}
    if address or os.environ.get("RAY_ADDRESS"):
        ray.init(address=address or os.environ["RAY_ADDRESS"], **quiet)
        return
    ray.init(address="local", num_cpus=cpus, object_store_memory=STORE_BYTES, include_dashboard=False, **quiet)


def train(config, output=None, *, n_workers=1, address=None, max_restarts=0, threads=1, wait=300.0, resume=False,
          overwrite=False, words=(), weft="weft"):
    """Trains on `n_workers` ranks of so many threads each; gives the folder of the best pipeline, None without output.

    `words` are further ones of `weft train`, such as overrides. A run that loses a rank is started again from its
    checkpoint at most `max_restarts` times, which needs `output` on a file system that all machines share, with this
    one. `wait`: the seconds that the ranks may wait for CPUs of the cluster. Raises RunFailed.
    """
    was_connected = ray.is_initialized()
    if not was_connected:
        try:
            connect(address, n_workers * threads)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise RunFailed(1, f"no Ray cluster at {address or os.environ.get('RAY_ADDRESS', 'local')}: "
                               f"{error}") from error
    before = [] if output is None else run_marks(output)

    def words_now(attempt):
        goes_on = attempt > 0 and output is not None and has_begun(before, run_marks(output))
        return words_of_attempt(config, output, threads, words, goes_on, resume, overwrite)

    try:
        with Signals() as signals:
            code = _attempts(signals, max_restarts, wait, n_workers, threads, words_now, weft)
    finally:
        if not was_connected:
            ray.shutdown()
    if code != 0:
        raise RunFailed(code)
    return None if output is None else pathlib.Path(output) / "model-best"


def _attempts(signals, max_restarts, wait, n_workers, threads, words_of, weft):
    attempt = 0
    while True:
        code = _attempt(signals, wait, n_workers, threads, words_of(attempt), weft)
        if code != EXIT_OF_LOST_PEER or attempt >= max_restarts:
            return code
        attempt += 1
        print(f"weft: starting the ranks again ({attempt} of {max_restarts})", file=sys.stderr, flush=True)


def _attempt(signals, wait, n_workers, threads, words, weft):
    try:
        group = RankGroup(n_workers, threads, wait, signals.next)
    except NoPlace as error:
        raise RunFailed(1 if error.signal is None else 128 + error.signal, str(error)) from error
    try:
        group.start(weft, words, os.getcwd(), variables_to_pass_on())
        return group.watch()
    except ray.exceptions.RayTaskError as error:
        raise RunFailed(1, str(error.cause)) from error
    except (ray.exceptions.RayActorError, ray.exceptions.GetTimeoutError) as error:
        print(f"weft: a machine was lost while the ranks were started: {error}", file=sys.stderr, flush=True)
        return EXIT_OF_LOST_PEER
    finally:
        group.close()
