#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that fansim needs and that are missing.
set -euo pipefail

packages=(
  g++ cmake ninja-build ccache git python3 python3-yaml
  libsystemc-dev libboost-program-options-dev libfmt-dev libyaml-cpp-dev nlohmann-json3-dev catch2 libsqlite3-dev
  libpng-dev zlib1g-dev libonnx-dev libprotobuf-dev libjs-chart.js
  libopencv-imgproc-dev libonnx-testdata chromium python3-jsonschema bsdextrautils strace # for the tests
  clang-format clang-tidy
  verilator iverilog yosys
  dpkg-dev groff-base zsh fish # for the package, the manual and completion
  slurmctld slurmd slurm-client munge # for a cluster on loopback
)

if ! command -v apt-get >/dev/null; then
  echo "install.sh: needs Debian's apt-get; elsewhere install by hand: ${packages[*]}" >&2
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) || true
  [[ $status == installed* ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "install.sh: not root and no sudo; as root run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" </dev/null >/dev/null
}

echo "Installing ${missing[*]}"
apt update
apt install -y --no-install-recommends "${missing[@]}"
