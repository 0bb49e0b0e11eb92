"""The machine, the driver and the libraries: without them nothing else is tried."""
import glob
import json
import os
import platform
import shutil
import sys

from session import NoEnvironment

SECONDS, LEAST = 30, 1

# Where installations of CUDA have their libraries: the toolkit, and the wheels of Python packages.
FOLDERS = ["/usr/local/cuda*/lib64", "/usr/local/cuda*/lib", "/usr/local/cuda*/targets/*/lib", "/usr/lib/x86_64-linux-gnu",
           "/opt/*/.venv/lib/python3*/site-packages/nvidia/*/lib"]
# Drivers that are not installed where the system looks.
DRIVERS = ["/usr/local/nvidia/lib64", "/usr/local/nvidia/lib"]


def wheel_folders():
    return [os.path.join(path, "nvidia", "*", "lib") for path in sys.path if path.endswith("-packages")]


def folder_of(library):
    """The first folder that has the library, "" where none has it."""
    for pattern in FOLDERS + wheel_folders():
        for folder in sorted(glob.glob(pattern), reverse=True):
            if os.path.exists(os.path.join(folder, library)):
                return folder
    return ""


def missing_libraries(session):
    lines = []
    for file in ("bin/weft", "lib/libweft_cuda.so", "tests/framework_tests", "tests/components_tests"):
        lines += session.run(["ldd", session.pack / file]).out.splitlines()
    return sorted({line.split()[0] for line in lines if "not found" in line})


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def driver_facts(session):
    program = shutil.which("nvidia-smi")
    if program is None:
        return "nvidia-smi is not there"
    found = session.run([program, "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"])
    return found.out.strip() or found.told()


def sanitizer(session):
    if session.options.sanitizer:
        return session.options.sanitizer
    candidates = [shutil.which("compute-sanitizer")]
    candidates += sorted(glob.glob("/usr/local/cuda*/bin/compute-sanitizer"), reverse=True)
    return next((path for path in candidates if path), "")


def run(session):
    facts = session.facts
    facts["processor"] = f"{processor()}, {os.cpu_count()} threads"
    facts["system"] = f"{platform.platform()}, Python {platform.python_version()}"
    facts["driver"] = driver_facts(session)
    facts["pack"] = session.manifest["text"]
    session.libraries = [folder for folder in DRIVERS if os.path.isdir(folder)]
    for library in session.manifest["needs"]:
        folder = folder_of(library)
        facts[library] = folder or "where the system has it, or nowhere"
        if folder and folder not in session.libraries:
            session.libraries.append(folder)
    missing = missing_libraries(session)
    if missing:
        raise NoEnvironment("libraries that were not found: " + ", ".join(missing))
    info = session.run([session.weft, "info", "--json"])
    if info.code != 0:
        raise NoEnvironment("weft does not start here:\n" + info.told())
    build = json.loads(info.out)
    facts["weft"] = build["weft"]
    facts["devices"] = "; ".join(build["devices"])
    if "no_gpu" in build:
        raise NoEnvironment(build["no_gpu"])
    facts["compute-sanitizer"] = sanitizer(session) or "not there"
    session.check("libraries and a GPU are there", True, facts["devices"])
