"""`python -m weft`: the commands of the program, beside functions that are registered from Python.

    python -m weft train train.cfg --output out --code functions.py
"""

from __future__ import annotations

import signal
import sys

from . import _weft


def main() -> int:
    """Runs the command of sys.argv; gives its exit code."""
    # C++ runs meanwhile, and would keep Python from answering Ctrl-C. Training has its own answer.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        return _weft._run_command(sys.argv[1:])
    finally:
        sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
