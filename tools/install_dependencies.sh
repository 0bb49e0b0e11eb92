#!/usr/bin/env bash
# Installs the Debian packages that the build needs and that are missing. Uses sudo where the user is
# not root. `docs/dependencies.md` gives the reason for each package.
set -euo pipefail

packages=(
  g++ cmake ninja-build pkg-config ccache python3
  libfmt-dev libboost-program-options-dev nlohmann-json3-dev libtomlplusplus-dev
  libmsgpack-cxx-dev zlib1g-dev libisal-dev libzstd-dev liblzma-dev
  libpcre2-dev libutf8proc-dev libopenblas-dev nettle-dev libcpp-httplib-dev
)
if [[ "${1:-}" == "--tests" ]]; then
  packages+=(libopenmpi-dev openmpi-bin libgloo-dev libgtest-dev libgmock-dev libbenchmark-dev clang-format clang-tidy dpkg-dev git iproute2 python3-dev python3-venv)
fi

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
    missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

as_root=()
if [[ "$(id -u)" != 0 ]]; then
  command -v sudo >/dev/null || {
    echo "missing packages: ${missing[*]}; install them as root: apt-get install ${missing[*]}" >&2
    exit 1
  }
  as_root=(sudo)
fi
echo "installing: ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
