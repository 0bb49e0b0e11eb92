#!/usr/bin/env bash
# Installs what is missing, builds everything with warnings as errors, and runs the tests.
# Further words go to ctest, for example `tools/test.sh -R config`.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install_dependencies.sh --tests
tools/build.sh -DWEFT_TESTS=ON -DWEFT_BENCH=ON -DWEFT_WERROR=ON
ctest --test-dir build --output-on-failure --parallel "$(nproc)" "$@"
