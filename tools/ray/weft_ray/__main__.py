"""`python -m weft_ray [options] CONFIG -- WORDS`, which `weft ray train` calls; WORDS go to `weft train` as they are."""
import argparse
import sys

from .run import RunFailed, train


def parse(words):
    parser = argparse.ArgumentParser(prog="python -m weft_ray", allow_abbrev=False)
    parser.add_argument("config", nargs="?")
    parser.add_argument("--output")
    parser.add_argument("--n-workers", type=int, default=1)
    parser.add_argument("--address")
    parser.add_argument("--max-restarts", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--wait", type=float, default=300.0)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--overwrite", action="store_true")
    parser.add_argument("--weft", default="weft", help="the program, at the same place on all machines or in their PATH")
    cut = words.index("--") if "--" in words else len(words)
    return vars(parser.parse_args(words[:cut])), words[cut + 1:]


def main():
    options, words = parse(sys.argv[1:])
    try:
        train(**options, words=words)
    except RunFailed as error:
        if error.message:
            print(f"weft: {error.message}", file=sys.stderr)
        return error.code
    return 0


if __name__ == "__main__":
    sys.exit(main())
