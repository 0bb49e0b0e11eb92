#!/usr/bin/env bash
# Configures and builds into build/. Further words are passed to the configuration, for example
# `tools/build.sh -DWEFT_TESTS=OFF`.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset release "$@" --log-level=WARNING
cmake --build --preset release
