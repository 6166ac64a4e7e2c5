#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs under the thread sanitizer everything that uses several threads: searches of every method and machine with their
# stores and shared folders, batches of inputs, sweeps, and the search of number formats. Any race fails. SystemC is not
# built with the sanitizer, so the clocked engine, which has one thread, is left out; the second thread of its waveforms
# runs alone.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cmake --preset tsan >/dev/null && cmake --build --preset tsan -j "$(nproc)" -- --quiet || exit
fansim=$PWD/build/tsan/fansim
source=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit

# With a race the program exits with 66, whatever else it would have returned.
export TSAN_OPTIONS="exitcode=66 halt_on_error=0 second_deadlock_stack=1"
failed=0
runs=0

# expect CODES COMMAND...
expect() {
  local codes=$1
  shift
  runs=$((runs + 1))
  "$@" >out.txt 2>err.txt
  local code=$?
  [[ " $codes " == *" $code "* ]] && ! grep -q 'WARNING: ThreadSanitizer' err.txt && return
  failed=1
  echo "tsan.sh: exit $code: ${*/#$fansim/fansim}"
  head -60 err.txt
}

# Writes the requested number of inputs of a network.
inputs() { # FILE COUNT C H W
  python3 - "$@" <<'END'
import struct, sys
file, (count, *shape) = sys.argv[1], map(int, sys.argv[2:])
size = count
for extent in shape:
    size *= extent
header = "{'descr': '|i1', 'fortran_order': False, 'shape': %s, }" % ((count, *shape),)
header += " " * (63 - (10 + len(header)) % 64) + "\n"
with open(file, "wb") as out:
    out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    out.write(bytes((7 * i) % 256 for i in range(size)))
END
}

for space in tiny_stream tiny_tiled; do
  for method in "method: branch_and_bound" "method: exhaustive" "method: nsga2, population: 16, generations: 4" \
    "method: annealing, chains: 4, steps: 40"; do
    sed "s#\.\./systems#$source/configs/systems#; \$a search: {$method}" "$source/configs/spaces/$space.yaml" >space.yaml
    expect "0 3" "$fansim" explore space.yaml tiny_conv --jobs 4 --html front.html --json front.json
  done
  rm -f store.db*
  expect "0 3" "$fansim" explore "$space" tiny_conv --jobs 4 --resume store.db
  expect "0 3" "$fansim" explore "$space" tiny_conv --jobs 4 --resume store.db
done
expect "0 3" "$fansim" explore tiny_vision edge --jobs 4

"$fansim" explore tiny_stream tiny_conv --shard 1/2 --dir shared --jobs 2 >/dev/null 2>other.txt &
expect 0 "$fansim" explore tiny_stream tiny_conv --shard 2/2 --dir shared --jobs 2
wait $! || { failed=1 && cat other.txt; }
expect 0 "$fansim" explore merge shared

sed "s#\.\./systems#$source/configs/systems#; s/least_bits: 16/least_bits: 28/; s/^training:.*/training: {images: 20, test: 10}/" \
  "$source/configs/spaces/trainer_formats.yaml" >formats.yaml
expect "0 3" "$fansim" explore formats.yaml digits --jobs 4

inputs tiny_conv.npy 9 3 24 20
inputs hand_tile.npy 9 12 4 4
inputs lenet5.npy 9 1 28 28
for machine in "tiny_stream tiny_conv" "zcu102_stream lenet5" "faq_zcu102_dorefa8_dsp hand_tile" "tiny_decoupled tiny_conv" "zcu102_int8_chain tiny_conv"; do
  read -r config network <<<"$machine"
  expect 0 "$fansim" run "$config" "$network" --inputs "$network.npy" --jobs 4 --verify
  expect 0 "$fansim" run "$config" "$network" --verify --mapping --html run.html
done
# This layer has enough weights to be coded and laid out in pieces.
expect 0 "$fansim" run faq_zcu102_dorefa8_dsp alexnet --layers conv2,fc8
# These runs time several layers at the same time.
for machine in "faq_zcu102_dorefa8 alexnet" "zcu102_stream_least_traffic alexnet"; do
  read -r config network <<<"$machine"
  expect 0 "$fansim" run "$config" "$network" --timing-only
done
expect 0 "$fansim" sweep tiny_stream tiny_conv --vary axi.data_bits=64,128 --vary host.dma_setup=0,500
expect 0 "$fansim" train float_trainer digits --images 4 --epochs 1

((failed)) || echo "tsan.sh: $runs runs without a race"
exit "$failed"
