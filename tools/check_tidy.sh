#!/usr/bin/env bash
# Runs clang-tidy. With no words: on the files changed since the revision in WEFT_TIDY_BASE (default:
# the previous commit). `tools/check_tidy.sh --all` takes every file.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ "${1:-}" == "--all" ]]; then
  mapfile -t files < <(git ls-files 'registry/*.cc' 'framework/*.cc' 'components/*.cc' 'tools/*.cc' |
    grep -v '^tools/bench/')
else
  base="${WEFT_TIDY_BASE:-HEAD~1}"
  git rev-parse -q --verify "$base^{commit}" >/dev/null || base="$(git hash-object -t tree /dev/null)"
  mapfile -t files < <(git diff --name-only --diff-filter=d "$base" -- registry framework components tools |
    grep '\.cc$' | grep -v '^tools/bench/' || true)
fi
[[ ${#files[@]} -eq 0 ]] && { echo "clang-tidy: nothing changed"; exit 0; }
# A configuration of its own: units of several sources and precompiled headers, which are GCC's, are not for it.
cmake --preset release -B build/tidy -DWEFT_UNITY=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DWEFT_TESTS=OFF \
  -DWEFT_BENCH=OFF --log-level=WARNING
cmake --build build/tidy --target weft_abi_hash >/dev/null
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "$(nproc)" clang-tidy -p build/tidy --quiet --warnings-as-errors='*' \
    --extra-arg=-Wno-unknown-warning-option 2>/dev/null
echo "clang-tidy: ${#files[@]} files without a finding"
