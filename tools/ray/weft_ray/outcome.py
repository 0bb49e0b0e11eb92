"""From the ends of ranks to the end of the run, as tools/rank_group.cc has it for --n-workers.

A code is what subprocess gives: below 0 the signal that ended the process. None stands for a rank whose machine or
Ray worker is gone.
"""
import signal

# As of sysexits.h: a failure that may pass, after which the same command may be tried again.
EXIT_OF_LOST_PEER = 75


def is_lost(code):
    return code is None or code < 0 or code == EXIT_OF_LOST_PEER


def exit_code(codes, passed_on=None):
    """Of the whole run. `passed_on`: the last signal that was sent to all ranks."""
    if passed_on is not None and any(code == -passed_on for code in codes):
        return 128 + passed_on
    for code in codes:
        if code != 0 and not is_lost(code):
            return code
    if not any(is_lost(code) for code in codes):
        return 0
    # Nothing is started again after a signal, though ranks that lost each other could not save.
    return EXIT_OF_LOST_PEER if passed_on is None else 128 + passed_on


def describe(rank, host, code):
    """A line about a rank that could not say it itself; nothing for all others."""
    if code is None:
        return f"weft: rank {rank} on {host} is gone, with its machine or its Ray worker"
    if code < 0:
        return f"weft: rank {rank} on {host} was ended by signal {-code} ({signal.strsignal(-code)})"
    return None
