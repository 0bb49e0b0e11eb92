"""No program or library takes a library of the working directory.

planted_libraries.py CXX TREE [TREE ...]

Every program and shared library below the trees is looked at. Each entry of its search path has to be
absolute or begin with $ORIGIN: an empty or relative one stands for the working directory, where
anybody may have put one. The same paths serve libraries that are opened at run time. Then the loader lists, in a
folder that holds a library under the name of every dependency, what it would load.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

OPENED_AT_RUN_TIME = ["libopenblas.so.0", "libweft_cuda.so", "libcuda.so.1", "libcudnn.so.9"]
SHARED_OBJECT_OR_PROGRAM = (2, 3)  # e_type: ET_EXEC, ET_DYN


def is_linked(path):
    with open(path, "rb") as file:
        head = file.read(18)
    return head[:4] == b"\x7fELF" and head[16] in SHARED_OBJECT_OR_PROGRAM


def linked_files(trees):
    for tree in trees:
        for folder, within, names in os.walk(tree):
            if "scratch" in within:  # files of tests that run meanwhile come and go there
                within.remove("scratch")
            for path in (os.path.join(folder, name) for name in sorted(names)):
                if os.path.isfile(path) and not os.path.islink(path) and is_linked(path):
                    yield path


def readelf(option, path):
    return subprocess.run(["readelf", option, path], capture_output=True, text=True, check=True).stdout


def dynamic(path):
    """The libraries that `path` needs, and the entries of its search path."""
    text = readelf("-dW", path)
    places = re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", text)
    return re.findall(r"\(NEEDED\).*\[(.*)\]", text), [entry for place in places for entry in place.split(":")]


def loader_of(files):
    for path in files:
        found = re.search(r"program interpreter: (.*)\]", readelf("-lW", path))
        if found:
            return found.group(1)
    sys.exit("there is no program among the files")


def taken_from(folder, loader, path, **variables):
    """The libraries of `folder` that the loader would take for `path` if it were started there."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LD_")}
    text = subprocess.run([loader, "--list", path], cwd=folder, env={**environment, **variables},
                          capture_output=True, text=True, check=False).stdout
    # "name => path (address)", or "name (address)" where the path is no more than that name.
    found = re.findall(r"^\s*(?:\S+ => )?(\S+) \(0x", text, re.MULTILINE)
    return [file for file in found if not file.startswith("linux-vdso") and
            os.path.realpath(os.path.join(folder, file)).startswith(folder + "/")]


def plant(compiler, names, folder):
    first = os.path.join(folder, "planted.so")
    subprocess.run([compiler, "-shared", "-fPIC", "-xc++", "/dev/null", "-o", first], check=True)
    for name in names:
        shutil.copy(first, os.path.join(folder, name))


def faults_of(files, compiler):
    loader = loader_of(files)
    names = set(OPENED_AT_RUN_TIME)
    for path in files:
        needed, places = dynamic(path)
        names.update(needed)
        for entry in places:
            if not entry.startswith(("/", "$ORIGIN")):
                yield f"{path}: the entry '{entry}' of its search path means the working directory"
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        plant(compiler, names, folder)
        if not taken_from(folder, loader, files[0], LD_LIBRARY_PATH="."):
            yield "a planted library is not found where it is asked for: this check finds nothing"
        for path in files:
            for library in taken_from(folder, loader, path):
                yield f"{path}: it takes {os.path.basename(library)} of the working directory"
    print(f"{len(files)} programs and libraries, {len(names)} planted names")


def main():
    files = list(linked_files(os.path.abspath(tree) for tree in sys.argv[2:]))
    faults = list(faults_of(files, sys.argv[1]))
    sys.exit("\n".join(faults) if faults else 0)


if __name__ == "__main__":
    main()
