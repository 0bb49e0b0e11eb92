#!/usr/bin/env bash
# Accepts a GPU in one command: are results right, are they fast, on a machine without network and without
# weft's packages. Needs Python 3 (its standard library alone), a driver, and CUDA's libraries.
#
#   tools/gpu_acceptance.sh PACK.tar.gz [options]    unpacks what tools/pack_gpu_acceptance.sh made, and runs it
#   ./gpu_acceptance.sh [options]                    inside of an unpacked pack
#
# `--help` lists the options: --out DIR, --seconds 570, --gpu 0, --short, --only SECTIONS, --sanitizer PROGRAM.
# DIR/report.md has a line for each target. Exit codes: 0 right and fast, 1 wrong, 2 the machine lacks something,
# 3 right but slow, or not tried to the end. docs/gpu.md says more.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || { echo "gpu_acceptance.sh: python3 is not there" >&2; exit 2; }
if [ -x "$here/bin/weft" ]; then
  exec python3 "$here/gpu_acceptance" "$@"
fi
if [ $# -lt 1 ] || [[ $1 == -* ]]; then
  sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
[ -f "$1" ] || { echo "gpu_acceptance.sh: there is no file $1" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tar -xzf "$1" -C "$folder" && [ -x "$folder"/weft_gpu_acceptance/bin/weft ] || {
  echo "gpu_acceptance.sh: $1 is no archive of tools/pack_gpu_acceptance.sh" >&2
  exit 2
}
shift
status=0
python3 "$folder"/weft_gpu_acceptance/gpu_acceptance "$@" || status=$?
exit "$status"
