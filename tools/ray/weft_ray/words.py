"""The words with which all ranks of an attempt are started."""


def words_of_attempt(config, output, threads, words, attempt, resume, overwrite):
    """The words of `weft` for every rank. From the second attempt on a run with an output goes on."""
    goes_on = attempt > 0 and output is not None
    all_words = ["train", *([str(config)] if config else []), "--threads", str(threads)]
    if output is not None:
        all_words += ["--output", str(output)]
    if resume or goes_on:
        all_words.append("--resume")
    if overwrite and not goes_on:
        all_words.append("--overwrite")
    return [*all_words, *words]
