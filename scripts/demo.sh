#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds fansim and runs three networks on the streaming accelerator, every output compared with the reference executor.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  echo "demo.sh: $*" >&2
  exit 1
}

echo "Installing what is missing"
bash scripts/install.sh || fail "installation failed"

echo "Building fansim, a few minutes the first time"
cmake --preset release >/dev/null || fail "configuration failed"
cmake --build --preset release --target fansim -j "$(nproc)" || fail "build failed"

for network in alexnet vgg16 lstm256; do
  echo "Running $network on configs/systems/zcu102_stream.yaml"
  build/release/fansim run configs/systems/zcu102_stream.yaml "models/$network.yaml" --verify ||
    fail "$network failed with exit code $?"
done
echo "demo.sh: all three networks ran and every output equals the reference"
