// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/sum_store.h"

#include "kernels/tile_mac.h"

namespace fansim::tiled {

SumStore::SumStore(const EngineConfig& engine, int halves, bool float_sum, int accumulator_bits, bool values)
    : kind_(float_sum                ? Kind::real
            : accumulator_bits <= 32 ? Kind::int32
                                     : Kind::int64),
      entries_(engine.output_words),
      halves_(halves),
      pitch_(base::round_up(engine.tm, kernels::kTileChannels)),
      bits_(float_sum ? 32 : accumulator_bits),
      ports_(static_cast<std::size_t>(halves), ram_ports(sums_ports())) {
  if (!values) return;
  const auto size = static_cast<std::size_t>(at(halves, 0));
  if (kind_ == Kind::int32) int32_.resize(size);
  if (kind_ == Kind::int64) int64_.resize(size);
  if (kind_ == Kind::real) real_.resize(size);
}

sim::StoredWords SumStore::stored() {
  if (kind_ == Kind::real) return {real_.data(), real_.size(), sizeof(float), bits_};
  if (kind_ == Kind::int64) return {int64_.data(), int64_.size(), sizeof(std::int64_t), bits_};
  return {int32_.data(), int32_.size(), sizeof(std::int32_t), bits_};
}

}  // namespace fansim::tiled
