"""Executes the notebook of examples/notebook: notebook.py NOTEBOOK ENVIRONMENT

ENVIRONMENT is the folder of an environment with spaCy, which may not be there.

Fails where a cell raises, or does not show what the notebook promises.
"""
import os
import pathlib
import sys

import nbclient
import nbformat

path = pathlib.Path(sys.argv[1])
spacy_packages = [str(folder.parent) for folder in pathlib.Path(sys.argv[2]).glob("lib/python3*/site-packages/spacy")]
os.environ["PYTHONPATH"] = os.pathsep.join([os.environ["PYTHONPATH"], *spacy_packages])
os.environ["JUPYTER_PLATFORM_DIRS"] = "1"
notebook = nbformat.read(path, as_version=4)
nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(path.parent)}}).execute()


def shown(cell):
    """Everything that a cell shows: what it prints, and its value as text and as HTML."""
    parts = [output.get("text", "") for output in cell.outputs]
    for output in cell.outputs:
        parts += [str(value) for value in output.get("data", {}).values()]
    return "\n".join(parts)


everything = [shown(cell) for cell in notebook.cells if cell.cell_type == "code"]
wanted = ["'documents': 3394", "training.max_stesp", "max_steps", "training.dropout", "<table>", "(120, ", "ents_f", "<mark"]
wanted.append("entities by the component" if spacy_packages else "spaCy is not installed")
for part in wanted:
    assert any(part in text for text in everything), f"no cell shows {part}:\n" + "\n".join(everything)
print(f"{path.name}: {len(everything)} cells; {everything[-1].strip()}")
