#!/usr/bin/env bash
# Fails if a C++ file is not formatted as .clang-format says. `tools/check_format.sh --fix` mends it.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(--dry-run --Werror)
[[ "${1:-}" == "--fix" ]] && mode=(-i)
git ls-files -z '*.cc' '*.h' '*.cu' '*.cuh' | xargs -0 clang-format "${mode[@]}"
