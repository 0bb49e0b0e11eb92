"""spaCy's own commands with the component "weft": evaluate, package, and the entry point that finds it.

    component_commands.py SITE PIPELINE DOCS

SITE holds the Python package, PIPELINE is a folder that weft loads, DOCS has sentences in CoNLL format.
"""
import importlib.machinery
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tomllib

SITE, PIPELINE, CORPUS = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
WORK = pathlib.Path(os.environ["WORK"])
shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
if not any((SITE / "weft" / ("_weft" + suffix)).exists() for suffix in importlib.machinery.EXTENSION_SUFFIXES):
    print("SKIPPED: the Python module was not built for this interpreter; the test python_module says why")
    sys.exit(77)
# An installation adds name and entry points to the package.
project = tomllib.loads((pathlib.Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
facts = WORK / "packages" / "weft-0.dist-info"
facts.mkdir(parents=True)
(facts / "METADATA").write_text("Metadata-Version: 2.1\nName: weft\nVersion: 0\n", encoding="utf-8")
lines = [f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in entries.items())
         for group, entries in project["entry-points"].items()]
(facts / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
os.environ["PYTHONPATH"] = os.pathsep.join([str(SITE), str(WORK / "packages")])
sys.path[:0] = [str(SITE), str(WORK / "packages")]
import spacy  # looks for entry points now

import weft


def spacy_command(*words):
    done = subprocess.run([sys.executable, "-m", "spacy", *map(str, words)], cwd=WORK, capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"spacy {words[0]} failed:\n{done.stdout}{done.stderr}")


own = weft.load(PIPELINE)
own.to_disk(WORK / "pipeline")
nlp = spacy.blank(own.lang)
nlp.tokenizer = spacy.load(WORK / "pipeline").tokenizer
nlp.add_pipe("weft", config={"path": str(WORK / "pipeline")})  # found by its entry point
nlp.to_disk(WORK / "saved")

weft.convert(CORPUS, WORK / "gold.spacy")
gold = weft.docs_from_bytes((WORK / "gold.spacy").read_bytes(), own.vocab)[:200]
(WORK / "gold.spacy").write_bytes(weft.docs_to_bytes(gold))
spacy_command("evaluate", WORK / "saved", WORK / "gold.spacy", "--output", WORK / "scores.json")
spacy_command("evaluate", WORK / "pipeline", WORK / "gold.spacy", "--output", WORK / "expected.json")
scores, expected = (json.loads((WORK / name).read_text(encoding="utf-8")) for name in ("scores.json", "expected.json"))
for name in ("ents_p", "ents_r", "ents_f", "ents_per_type"):
    if scores[name] != expected[name]:
        sys.exit(f"spacy evaluate: {name} is {scores[name]}, not {expected[name]}")

spacy_command("package", WORK / "saved", WORK, "--name", "component_test", "--version", "1.2.3", "--build", "none")
shutil.rmtree(WORK / "saved")
shutil.rmtree(WORK / "pipeline")  # the package has all that it needs
source = WORK / f"{own.lang}_component_test-1.2.3"
shutil.copy(source / "meta.json", source / f"{own.lang}_component_test")  # as its setup.py does
sys.path.insert(0, str(source))
packaged = importlib.import_module(f"{own.lang}_component_test").load()
text = gold[0].text + " Ada Lovelace was born in London."
if [(e.text, e.label_) for e in packaged(text).ents] != [(e.text, e.label_) for e in own(text).ents]:
    sys.exit("the packaged pipeline annotates differently")
print(f"spacy evaluate: ents_f {scores['ents_f']:.4f} of {len(gold)} documents, as spaCy's own; packaged and loaded")
