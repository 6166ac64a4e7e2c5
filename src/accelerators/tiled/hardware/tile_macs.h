// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/tiled/config/code_book.h"
#include "accelerators/tiled/hardware/sum_store.h"
#include "accelerators/tiled/hardware/types.h"

namespace fansim::tiled {

// Does the arithmetic of a tile engine: holds the weight set in use, and adds the products of a point to their entry.
class TileMacs {
 public:
  TileMacs(const EngineConfig& config, const CodeBook& book, SumStore& store);

  // Loads a weight set; returns false if a code of it stands for nothing.
  bool load(const WeightSet& set);
  void add(const Point& point);

 private:
  void load_integers(const WeightSet& set);
  void load_reals(const WeightSet& set);
  void add_int32(const Point& point);
  void add_int64(const Point& point);
  void add_real(const Point& point);

  const EngineConfig config_;
  const CodeBook& book_;
  SumStore& store_;
  const int pairs_;  // pairs of input channels
  // Weights lie as [pair][channel][2]. A sum of 64 bits is made of two of 32, so its weights are split into signed high
  // and unsigned low bytes, and the low ones lie behind the high ones.
  std::vector<std::int16_t> integers_;
  std::vector<float> reals_;  // [lane][channel]
  std::vector<std::int32_t> high_, low_;
};

}  // namespace fansim::tiled
