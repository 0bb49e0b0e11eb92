"""Parts and copies of the corpus in the pack: a word and its tag on each line, an empty line after each sentence."""


def sentences(file, count=None):
    found = [part for part in file.read_text(encoding="utf8").split("\n\n") if part.strip()]
    return found[:count]


def write_conll(file, parts, copies=1):
    text = "".join(part.strip("\n") + "\n\n" for part in parts)
    file.write_text(text * copies, encoding="utf8")


def write_texts(file, parts, copies=1):
    """A sentence on each line, its words parted by spaces."""
    lines = [" ".join(line.split("\t")[0] for line in part.splitlines() if line) for part in parts]
    file.write_text("".join(line + "\n" for line in lines) * copies, encoding="utf8")


def words_in(parts):
    return sum(len(part.splitlines()) for part in parts)
