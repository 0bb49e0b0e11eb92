#!/usr/bin/env bash
# python_tsan.sh [WORDS...]
#
# Runs the Python tests against the library and the module built with ThreadSanitizer (preset `tsan`, g++), in the
# environment that the test python_environment has made in build/ or $WEFT_PYTHON_ENVIRONMENT. WORDS go to pytest.
# The interpreter is not instrumented: the library of the sanitizer is loaded before it, accesses that it makes in
# functions of libc are not looked at, and its lock is seen, which is a mutex. docs/fuzzing.md
set -euo pipefail
cd "$(dirname "$0")/.."
environment=${WEFT_PYTHON_ENVIRONMENT:-$PWD/build/tests/python/venv}
python=$environment/bin/python
build=$PWD/build-tsan-python
site=$build/site
cmake --preset tsan -B "$build" -DWEFT_PYTHON_MODULE=ON -DWEFT_TESTS=OFF -DWEFT_BENCH=OFF \
  -DPython_EXECUTABLE="$python"
cmake --build "$build" --target weft_python
rm -rf "$site"
cmake --install "$build" --component python --prefix "$site"
cp python/weft/* "$site/weft"
export PYTHONPATH=$site PYTHONDONTWRITEBYTECODE=1 LD_PRELOAD
LD_PRELOAD=$(realpath "$(g++ -print-file-name=libtsan.so)")
export TSAN_OPTIONS="ignore_noninstrumented_modules=1 ignore_interceptors_accesses=1 exitcode=66 ${TSAN_OPTIONS:-}"
exec "$python" -m pytest -q -p no:cacheprovider "${@:-tests/python}"
