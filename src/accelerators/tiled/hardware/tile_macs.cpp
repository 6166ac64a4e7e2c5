// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/tile_macs.h"

#include <algorithm>

#include "kernels/tile_mac.h"

namespace fansim::tiled {

using Kind = SumStore::Kind;

namespace {

std::size_t size(std::ptrdiff_t n) { return static_cast<std::size_t>(n); }

// A sum over so many pairs of inputs and unsigned bytes fits 32 bits: 2 * 128 * 2^15 * 255 < 2^31.
constexpr int kPairsOfBytes = 128;

}  // namespace

TileMacs::TileMacs(const EngineConfig& config, const CodeBook& book, SumStore& store)
    : config_(config), book_(book), store_(store), pairs_(base::ceil_div(config.tn, 2)) {
  const std::ptrdiff_t pitch = store.pitch();
  if (store.kind() == Kind::real) {
    reals_.resize(size(base::round_up(config.tn, kernels::kTreeLanes) * pitch));
  } else {
    integers_.resize(size((store.kind() == Kind::int64 ? 4 : 2) * pairs_ * pitch));
    high_.resize(size(pitch));
    low_.resize(size(pitch));
  }
}

bool TileMacs::load(const WeightSet& set) {
  std::uint16_t any = 0;
  for (const std::uint16_t code : set.codes) any |= code;
  const bool real = store_.kind() == Kind::real;
  if (set.codes.size() != size(config_.tm * config_.tn)) return false;
  if (any >= (real ? book_.operands.size() : book_.integers.size())) return false;
  real ? load_reals(set) : load_integers(set);
  return true;
}

void TileMacs::load_integers(const WeightSet& set) {
  const std::ptrdiff_t pitch = store_.pitch();
  const std::int16_t* value = book_.integers.data();
  for (int i = 0; i < config_.tn; ++i) {
    const std::uint16_t* from = set.codes.data() + std::ptrdiff_t{i} * config_.tm;
    std::int16_t* to = integers_.data() + i / 2 * pitch * 2 + i % 2;
    for (int o = 0; o < config_.tm; ++o) to[2 * o] = value[from[o]];
  }
  if (store_.kind() == Kind::int32) return;
  const std::ptrdiff_t plane = pairs_ * pitch * 2;
  for (std::ptrdiff_t k = 0; k < plane; ++k) {
    std::int16_t& high = integers_[size(k)];
    integers_[size(plane + k)] = static_cast<std::int16_t>(high & 0xff);
    high = static_cast<std::int16_t>(high >> 8);
  }
}

void TileMacs::load_reals(const WeightSet& set) {
  const float* value = book_.operands.data();
  for (int i = 0; i < config_.tn; ++i) {
    const std::uint16_t* from = set.codes.data() + std::ptrdiff_t{i} * config_.tm;
    float* to = reals_.data() + std::ptrdiff_t{i} * store_.pitch();
    for (int o = 0; o < config_.tm; ++o) to[o] = value[from[o]];
  }
}

void TileMacs::add(const Point& point) {
  switch (store_.kind()) {
    case Kind::int32:
      return add_int32(point);
    case Kind::int64:
      return add_int64(point);
    case Kind::real:
      return add_real(point);
  }
}

void TileMacs::add_int32(const Point& point) {
  std::int32_t* sums = store_.int32(point.half, point.entry);
  if (point.first) std::fill_n(sums, store_.pitch(), 0);
  kernels::multiply_add(point.values.data(), integers_.data(), pairs_, store_.pitch(), sums);
}

void TileMacs::add_int64(const Point& point) {
  const int pitch = store_.pitch();
  const std::ptrdiff_t plane = std::ptrdiff_t{2} * pairs_ * pitch;
  std::int64_t* sums = store_.int64(point.half, point.entry);
  if (point.first) std::fill_n(sums, pitch, 0);
  for (int pair = 0; pair < pairs_; pair += kPairsOfBytes) {
    const int pairs = std::min(kPairsOfBytes, pairs_ - pair);
    const std::int16_t* x = point.values.data() + std::ptrdiff_t{2} * pair;
    const std::int16_t* weights = integers_.data() + std::ptrdiff_t{2} * pair * pitch;
    std::fill(high_.begin(), high_.end(), 0);
    std::fill(low_.begin(), low_.end(), 0);
    kernels::multiply_add(x, weights, pairs, pitch, high_.data());
    kernels::multiply_add(x, weights + plane, pairs, pitch, low_.data());
    for (int o = 0; o < pitch; ++o) sums[o] += std::int64_t{high_[size(o)]} * 256 + low_[size(o)];
  }
}

void TileMacs::add_real(const Point& point) {
  const int lanes = base::round_up(config_.tn, kernels::kTreeLanes);
  float x[EngineConfig::kMaxFactor] = {};
  for (int i = 0; i < config_.tn; ++i) x[i] = point.values[size(i)];
  float* sums = store_.real(point.half, point.entry);
  if (point.first) std::fill_n(sums, store_.pitch(), 0.0F);
  kernels::multiply_tree(x, reals_.data(), lanes, store_.pitch(), sums);
}

}  // namespace fansim::tiled
