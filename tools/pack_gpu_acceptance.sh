#!/usr/bin/env bash
# Makes the archive that tools/gpu_acceptance.sh runs on a machine with a GPU: programs, tests, weft's libraries
# and those of Debian that they need, a corpus and a config. CUDA's own libraries are not in it (cuBLASLt alone is
# ten times the size that is allowed); the backend has CUDA's runtime inside.
#
#   tools/pack_gpu_acceptance.sh [--emulated] [--build DIR] [OUTPUT.tar.gz]
#
# DIR is a finished build with tests (build); OUTPUT is DIR/gpu_acceptance.tar.gz by default. --emulated puts the
# emulated device of the tests in the place of the CUDA backend, to try the acceptance without a GPU.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build emulated=false output=
while [ $# -gt 0 ]; do
  case $1 in
    --emulated) emulated=true ;;
    --build) build=$(cd "$2" && pwd); shift ;;
    -*) sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    *) output=$1 ;;
  esac
  shift
done
output=${output:-$build/gpu_acceptance.tar.gz}
most=$((50 * 1000 * 1000))

backend=$build/lib/libweft_cuda.so
if $emulated; then backend=$build/tests/libweft_cuda_emulated.so; fi
programs=("$build/bin/weft" "$build/tests/framework_tests" "$build/tests/components_tests")
for file in "${programs[@]}" "$backend"; do
  [ -f "$file" ] || { echo "$file is not there: build it first (tools/build.sh -DWEFT_TESTS=ON)" >&2; exit 1; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pack=$work/weft_gpu_acceptance
mkdir -p "$pack"/{bin,lib,tests,configs,data}
cp "$build/bin/weft" "$pack/bin/"
cp "$build/tests/framework_tests" "$build/tests/components_tests" "$pack/tests/"
cp "$backend" "$pack/lib/libweft_cuda.so"

# Libraries that the loader opens, by name: all but glibc's, which belong to the machine, and CUDA's. OpenBLAS is
# opened by weft itself.
loaded() {
  ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' | sort -u |
    grep -Ev '^(ld-linux|libc\.|libm\.|libdl\.|libpthread\.|librt\.|libresolv\.|libcu|libnv)' || true
}
blas=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | awk '$1 == "libopenblas.so.0" && !found { print $NF; found = 1 }')
[ -n "$blas" ] || echo "note: libopenblas.so.0 is not there: the runs on the CPU may lack it" >&2
{
  loaded "${programs[@]}" "$backend" ${blas:+"$blas"}
  [ -z "$blas" ] || echo "libopenblas.so.0 $blas"
} | sort -u | while read -r name file; do
  cp -L "$file" "$pack/lib/$name"
done

cp "$root/configs/ner.cfg" "$pack/configs/"
cp -r "$root/configs/data/wnut17" "$pack/data/"
cp "$root/configs/data/README.md" "$pack/data/"
cp "$root/tools/gpu_acceptance.sh" "$root/LICENSE" "$root/NOTICE" "$pack/"
mkdir "$pack/gpu_acceptance"
cp "$root"/tools/gpu_acceptance/*.py "$pack/gpu_acceptance/"

needs=$(objdump -p "$backend" | awk '$1 == "NEEDED" && $2 ~ /^libcu/ { printf "%s\"%s\"", sep, $2; sep = ", " }')
version=$("$build/bin/weft" --version | awk '{ print $NF }')
commit=$(git -C "$root" describe --always --dirty 2>/dev/null || echo "of no commit")
architectures=$(sed -n 's/^CMAKE_CUDA_ARCHITECTURES:[^=]*=//p' "$build/CMakeCache.txt")
text="weft $version, commit $commit, packed $(date -u +%F)"
if $emulated; then text+=", with the emulated device"; else text+=", CUDA architectures $architectures"; fi
printf '{"text": "%s", "emulated": %s, "needs": [%s]}\n' "$text" $emulated "$needs" >"$pack/manifest.json"

mkdir -p "$(dirname "$output")"
tar -C "$work" --sort=name --owner=0 --group=0 -cf - weft_gpu_acceptance | gzip -n >"$output"
bytes=$(stat -c %s "$output")
echo "$output: $((bytes / 1000000)) MB; $text"
if [ "$bytes" -gt $most ]; then
  echo "that is more than $((most / 1000000)) MB" >&2
  exit 1
fi
