"""The words with which all ranks of an attempt are started."""
import pathlib

# Files of a run that are written beside their names and renamed: another file is a later one.
RUN_FILES = ("run.json", "checkpoint/state.json")


def run_marks(output):
    """Which files of a run stand in the output folder, as far as this machine sees it."""
    marks = []
    for name in RUN_FILES:
        try:
            facts = (pathlib.Path(output) / name).stat()
            marks.append((facts.st_dev, facts.st_ino, facts.st_mtime_ns))
        except OSError:
            marks.append(None)
    return marks


def has_begun(before, now):
    """Whether a run has begun in the folder since its marks were `before`."""
    return any(new is not None and new != old for old, new in zip(before, now))


def words_of_attempt(config, output, threads, words, goes_on, resume, overwrite):
    """The words of `weft` for every rank. An attempt that goes on does so with the run that the ones before began."""
    all_words = ["train", *([str(config)] if config else []), "--threads", str(threads)]
    if output is not None:
        all_words += ["--output", str(output)]
    if resume or goes_on:
        all_words.append("--resume")
    if overwrite and not goes_on:
        all_words.append("--overwrite")
    return [*all_words, *(without_checkpoint(words) if goes_on else words)]


def without_checkpoint(words):
    """`words` but for --checkpoint, which says where the first attempt goes on from."""
    kept, rest = [], iter(words)
    for word in rest:
        if word == "--checkpoint":
            next(rest, None)
        elif not str(word).startswith("--checkpoint="):
            kept.append(word)
    return kept
