#!/usr/bin/env python3
"""Compiles the code for GPUs for every architecture that it is built for by default, and looks at what became of it.

  tools/check_cuda_code.py                      # every .cu, every architecture; flags of build/compile_commands.json
  tools/check_cuda_code.py --build build-cuda --architectures 75,90 --files layer_norm.cu

Fails where a register of a kernel is spilled to memory, and where a kernel has a stack frame that FRAMES does not
explain. No GPU is needed. The compiled code is thrown away.
"""
import argparse
import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Kernels (a part of the name, demangled) whose threads keep something in memory, and why.
FRAMES = {
    "WholeParse<": "the features of a state, as many as the model has",
    "RoundScores<": "the features of a state, as many as the model has",
    "::ListAndZeros>": "the four keys of an id, of which a thread takes one",
    "::Vectors>": "the four words of a draw, of which a thread takes one",
}


class Kernel:
    def __init__(self, symbol):
        self.symbol = symbol
        self.frame = self.spilled = self.registers = 0


def default_architectures(nvcc):
    """The numbers that CMake chooses where nobody else does."""
    text = subprocess.run(["cmake", f"-DWEFT_NVCC={nvcc}", "-P", ROOT / "cmake/CudaArchitectures.cmake"],
                          capture_output=True, text=True, check=True)
    numbers = re.findall(r"(\d+)-real", text.stdout + text.stderr)
    if not numbers:
        sys.exit(f"check_cuda_code.py: {nvcc} knows no architecture that weft is built for")
    return numbers


def commands_of(build):
    """The command for each .cu file of the backend, as a list of words: that of any, which may be a unit of several."""
    listed = build / "compile_commands.json"
    if not listed.is_file():
        sys.exit(f"check_cuda_code.py: {listed} is not there; configure with -DWEFT_CUDA=ON")
    for entry in json.loads(listed.read_text()):
        words = shlex.split(entry["command"])
        nvcc = next((i for i, word in enumerate(words[:2]) if Path(word).name == "nvcc"), None)
        if entry["file"].endswith(".cu") and nvcc is not None:
            return {path.relative_to(ROOT): [str(path) if word == entry["file"] else word for word in words[nvcc:]]
                    for path in (ROOT / "framework/backends/cuda").rglob("*.cu")}
    sys.exit(f"check_cuda_code.py: {build} builds no CUDA backend")


def compiled(words, architecture, to):
    """The report of ptxas. Ends the program where the file does not compile."""
    kept = [word for word in words if not word.startswith("--generate-code")]
    kept[kept.index("-o") + 1] = to
    kept[kept.index("-c")] = "-cubin"
    kept += [f"-gencode=arch=compute_{architecture},code=sm_{architecture}", "-Xptxas=-v"]
    done = subprocess.run(kept, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"check_cuda_code.py: sm_{architecture}: {shlex.join(kept)}\n{done.stderr}")
    return done.stderr + done.stdout


def kernels_in(report):
    kernels = {}
    kernel = None
    for line in report.splitlines():
        if found := re.search(r"(?:Compiling entry function|Function properties for) '?([\w$.]+)'?", line):
            kernel = kernels.setdefault(found[1], Kernel(found[1]))
        elif found := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line):
            kernel.frame, kernel.spilled = int(found[1]), int(found[2]) + int(found[3])
        elif found := re.search(r"Used (\d+) registers", line):
            kernel.registers = int(found[1])
    return list(kernels.values())


def demangled(symbol):
    return subprocess.run(["c++filt", symbol], capture_output=True, text=True, check=True).stdout.strip()


def faults_of(kernels, place):
    faults = []
    for kernel in kernels:
        if kernel.spilled == 0 and kernel.frame == 0:
            continue
        name = demangled(kernel.symbol)
        if kernel.spilled > 0:
            faults.append(f"{place}: {kernel.spilled} bytes of registers are spilled in {name}")
        elif not any(part in name for part in FRAMES):
            faults.append(f"{place}: a stack frame of {kernel.frame} bytes that nothing explains in {name}")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", type=Path)
    parser.add_argument("--architectures", help="numbers, with commas between them")
    parser.add_argument("--files", default="", help="names of .cu files, with commas between them")
    options = parser.parse_args()
    commands = commands_of(options.build)
    if options.files:
        wanted = options.files.split(",")
        commands = {path: words for path, words in commands.items() if path.name in wanted}
        if len(commands) < len(wanted):
            sys.exit(f"check_cuda_code.py: not all of {options.files} are files of the backend")
    nvcc = next(iter(commands.values()))[0]
    architectures = options.architectures.split(",") if options.architectures else default_architectures(nvcc)
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        for architecture in architectures:
            kernels = []
            for path, words in sorted(commands.items()):
                found = kernels_in(compiled(words, architecture, f"{folder}/code.cubin"))
                faults += faults_of(found, f"sm_{architecture}, {path}")
                kernels += found
            spilled = sum(kernel.spilled > 0 for kernel in kernels)
            framed = sum(kernel.frame > 0 for kernel in kernels)
            most = max(kernel.registers for kernel in kernels)
            print(f"sm_{architecture}: {len(commands)} files, {len(kernels)} kernels and functions, {spilled} with spills, "
                  f"{framed} with a stack frame, at most {most} registers", flush=True)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
