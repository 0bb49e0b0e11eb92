"""report.md and results.json: the verdict, a line for each target, the checks, the tables of numbers."""
import dataclasses
import datetime
import json

from training_speed import LEVELS

RIGHT_AND_FAST, WRONG, ENVIRONMENT, SLOW = 0, 1, 2, 3


@dataclasses.dataclass
class Target:
    """`measure` may have `{level}` in it: the best of all levels counts."""
    text: str
    measure: str
    wanted: float
    at_most: bool = False

    def best(self, measures):
        """(number, name of the measure), or None where nothing was measured."""
        found = [(measures[name], name) for name in (self.measure.format(level=level) for level in LEVELS) if name in measures]
        if not found:
            return None
        return min(found) if self.at_most else max(found)

    def is_reached(self, value):
        return value <= self.wanted if self.at_most else value >= self.wanted


TARGETS = [
    Target("training, batches of 1,000 words, words/s at the best level", "training {level} 1000 words/s", 1e6),
    Target("training, batches of 16,000 words, words/s at the best level", "training {level} 16000 words/s", 2e6),
    Target("prediction from ids, words/s at the best level", "prediction {level} ids words/s", 10e6),
    Target("stream operations of an update of 1,000 words, O0", "update O0 1000 operations", 90, at_most=True),
    Target("waits of the host in an update of 1,000 words, O0", "update O0 1000 waits", 1, at_most=True),
    Target("stream operations of a group of predictions, O0", "group operations", 25, at_most=True),
    Target("waits of the host in a group of predictions, O0", "group waits", 1, at_most=True),
]


def number(value):
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:,.2f}"


def table(rows):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * len(rows[0]))
    return "\n".join(lines) + "\n"


def target_rows(session):
    rows = [("target", "wanted", "measured", "")]
    for target in TARGETS:
        best = target.best(session.measures)
        wanted = ("at most " if target.at_most else "at least ") + number(target.wanted)
        if best is None:
            rows.append((target.text, wanted, "not measured", "open"))
        else:
            value, name = best
            rows.append((target.text, wanted, f"{number(value)} ({name})", "reached" if target.is_reached(value) else "MISSED"))
    return rows


def exit_code(session):
    """Right and fast is only what was tried to its end."""
    verdicts = {check.verdict for check in session.checks}
    if "no environment" in verdicts:
        return ENVIRONMENT
    if "wrong" in verdicts:
        return WRONG
    if "skipped" in verdicts or any(row[3] != "reached" for row in target_rows(session)[1:]):
        return SLOW
    return RIGHT_AND_FAST


def verdict(session):
    return {RIGHT_AND_FAST: "right and fast", WRONG: "WRONG", ENVIRONMENT: "the environment lacks something",
            SLOW: "right, but slow or not tried to the end"}[exit_code(session)]


def level_rows(session, name):
    """One row for each kind of measure, one column for each level."""
    rows = [("", *LEVELS)]
    for what in name:
        cells = [session.measures.get(what.format(level=level)) for level in LEVELS]
        if any(cell is not None for cell in cells):
            shown = ["not run" if cell is None else f"{cell / 2**20:,.0f} MiB" if what.endswith("bytes") else number(cell)
                     for cell in cells]
            rows.append((what.replace(" {level}", ""), *shown))
    return rows


def count_rows(session):
    names = ("operations", "kernels", "library_gemms", "tile_gemms", "sorts", "memsets", "copies", "allocations", "waits")
    rows = [("", *names)]
    for prefix in sorted({key.rsplit(" ", 1)[0] for key in session.measures if key.endswith(" operations")}):
        rows.append((prefix, *(number(session.measures.get(f"{prefix} {name}", 0)) for name in names)))
    return rows


def text_of(session):
    cell = lambda text: text.replace("\n", "<br>").replace("|", "\\|")
    sizes = sorted({key.split()[2] for key in session.measures if key.startswith("training ")}, key=int)
    speeds = [f"training {{level}} {size} {what}" for size in sizes for what in ("words/s", "bytes", "tile GEMMs")]
    speeds += [f"prediction {{level}} {what} words/s" for what in ("ids", "words", "text")]
    parts = ["# Acceptance of a GPU\n",
             f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC, exit code {exit_code(session)}: "
             f"**{verdict(session)}**.\n"]
    if session.manifest["emulated"]:
        parts.append("**The emulated device stood in the GPU's place.** No speed, memory or score below is one of a GPU.\n")
    if session.options.short:
        parts.append("A short run: tests, batches and corpora were cut.\n")
    parts.append(table([("", "")] + [(key, cell(value)) for key, value in session.facts.items()]))
    parts.append("## Targets\n\n" + table(target_rows(session)))
    parts.append("## Checks\n\n" + table([("section", "check", "verdict", "")] + [
        (check.section, cell(check.name), check.verdict, cell(check.text)) for check in session.checks]))
    if len(level_rows(session, speeds)) > 1:
        parts.append("## Speed and memory\n\n" + table(level_rows(session, speeds)))
    if len(count_rows(session)) > 1:
        parts.append("## Queued for an update and for a group of predictions\n\nMeans; a GEMM of the library counts as one "
                     "operation, and so does a sort.\n\n" + table(count_rows(session)))
    parts += [f"## {title}\n\n" + table(rows) for title, rows in session.tables]
    parts.append("## Seconds of each section\n\n" + table([("section", "seconds")] + [
        (name, f"{seconds:.0f}") for name, seconds in session.times.items()]))
    return "\n".join(parts)


def write(session, folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.md").write_text(text_of(session), encoding="utf8")
    results = {"exit_code": exit_code(session), "facts": session.facts, "measures": session.measures,
               "checks": [dataclasses.asdict(check) for check in session.checks], "seconds": session.times,
               "pack": session.manifest}
    (folder / "results.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf8")
    (folder / "log.txt").write_text("".join(session.log), encoding="utf8")
