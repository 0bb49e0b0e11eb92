"""The ranks of one attempt: placed on the cluster together, watched until all have ended."""
import os
import signal
import sys
import time

import ray
from ray.exceptions import RayError
from ray.util.placement_group import placement_group, remove_placement_group
from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

from .outcome import describe, exit_code
from .rank import Rank

# Ranks that do not end by themselves after one has failed are ended.
GRACE = 10.0
PAUSE = 0.05
START = 60.0


class NoPlace(Exception):
    """The cluster has not the CPUs that the ranks ask for; or `signal` came while they were waited for."""

    def __init__(self, message, signal=None):
        super().__init__(message)
        self.signal = signal


def place(size, threads, wait, next_signal):
    """A placement group with the CPUs of each rank, on as few machines as have them."""
    group = placement_group([{"CPU": threads}] * size, strategy="PACK")
    deadline = time.monotonic() + wait
    while not group.wait(timeout_seconds=1):
        number = next_signal()
        if number is None and time.monotonic() < deadline:
            continue
        remove_placement_group(group)
        have = ray.cluster_resources().get("CPU", 0)
        raise NoPlace(f"no place for {size} ranks of {threads} CPUs within {wait:g} s: the cluster has {have:g} CPUs, "
                      "which others may use too; --n-workers, --threads and --wait change what is asked for", number)
    return group


class RankGroup:
    """`next_signal` gives a signal that is to be passed on, or None."""

    def __init__(self, size, threads, wait, next_signal):
        self._size = size
        self._next_signal = next_signal
        self._group = place(size, threads, wait, next_signal)
        actor = ray.remote(max_restarts=0, num_cpus=threads)(Rank)
        self._ranks = [actor.options(scheduling_strategy=PlacementGroupSchedulingStrategy(
            self._group, placement_group_bundle_index=i)).remote() for i in range(size)]
        self._hosts = ["an unknown host"] * size
        self._codes = {}
        self._polls = {}
        self._passed_on = None

    def close(self):
        for rank in self._ranks:
            ray.kill(rank)
        remove_placement_group(self._group)

    def start(self, program, words, folder, more):
        """Starts weft for each rank; rank 0 waits for the others on a port of its machine."""
        places = ray.get([rank.place.remote() for rank in self._ranks], timeout=START)
        self._hosts = [host for host, _, _ in places]
        _, address, port = places[0]
        ray.get([rank.start.remote(program, words, folder, i, self._size, address, port, more)
                 for i, rank in enumerate(self._ranks)], timeout=START)

    def pass_on(self, number):
        self._passed_on = number
        for i, rank in enumerate(self._ranks):
            if i not in self._codes:
                rank.send.remote(number)

    def watch(self):
        """Waits for all ranks. Gives the run's code."""
        failed_at = None
        while len(self._codes) < self._size:
            number = self._next_signal()
            if number is not None:
                self.pass_on(number)
            self._look()
            if failed_at is None and any(code != 0 for code in self._codes.values()):
                failed_at = time.monotonic()
            if failed_at is not None and time.monotonic() > failed_at + GRACE:
                self._kill_the_rest()
        return exit_code([self._codes[i] for i in range(self._size)], self._passed_on)

    def _look(self):
        # One question to each rank is under way: a machine that hangs answers none, and keeps none waiting.
        for i, rank in enumerate(self._ranks):
            if i not in self._codes and i not in self._polls:
                self._polls[i] = rank.poll.remote()
        ready, _ = ray.wait(list(self._polls.values()), num_returns=len(self._polls), timeout=2.0)
        for i in [i for i, poll in self._polls.items() if poll in ready]:
            self._take(i, self._polls.pop(i))
        time.sleep(PAUSE)

    def _take(self, rank, answer):
        try:
            has_ended, code, out, err = ray.get(answer)
        except RayError:
            has_ended, code, out, err = True, None, b"", b""
        for stream, text in ((sys.stdout, out), (sys.stderr, err)):
            if text:
                stream.buffer.write(text)
                stream.flush()
        if has_ended:
            self._end(rank, code)

    def _end(self, rank, code):
        self._codes[rank] = code
        line = describe(rank, self._hosts[rank], code)
        if line is not None and (self._passed_on is None or code != -self._passed_on):
            print(line, file=sys.stderr, flush=True)

    def _kill_the_rest(self):
        for i, rank in enumerate(self._ranks):
            if i not in self._codes:
                ray.kill(rank)
                self._codes[i] = -signal.SIGKILL


def variables_to_pass_on():
    """Variables for weft go to every rank; all others are those of its machine."""
    return {name: value for name, value in os.environ.items() if name.startswith(("WEFT_", "SPACY_CONFIG_"))}
