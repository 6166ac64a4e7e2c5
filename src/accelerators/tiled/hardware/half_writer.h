// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/hardware/types.h"
#include "sim/stream.h"

namespace fansim::tiled {

// Keeps track of which half of an engine's tile store is being filled, and how far. Halves take turns.
template <class T>
class HalfWriter {
 public:
  HalfWriter(const char* port, TileStore<T>& store) : filled(port), store_(store) {}

  sim::StreamOut<Half> filled;

  std::vector<T>& half() { return store_[index_]; }
  std::size_t size() const { return size_; }
  // Returns false if the half's ports do not take so many values at this edge.
  bool write(int values, sim::Edge now) { return store_.port(index_).write(values, now); }
  T* append(int values) {
    size_ += static_cast<std::size_t>(values);
    return half().data() + size_ - values;
  }
  // Completes the half. It may be called only when `filled` can be pushed.
  void complete() {
    filled.push({index_});
    if (!store_[1].empty()) index_ = 1 - index_;
    size_ = 0;
  }

 private:
  TileStore<T>& store_;
  int index_ = 0;
  std::size_t size_ = 0;
};

// These hold one element per engine, which is null where there is no such engine.
template <class T>
using TileStores = std::array<TileStore<T>*, Config::kEngines>;
template <class T>
using HalfWriters = std::array<std::unique_ptr<HalfWriter<T>>, Config::kEngines>;

template <class T>
HalfWriters<T> half_writers(const TileStores<T>& stores) {
  static constexpr std::array<const char*, Config::kEngines> kPorts{"filled_conv", "filled_first", "filled_fc"};
  HalfWriters<T> writers;
  for (std::size_t i = 0; i < stores.size(); ++i)
    if (stores[i]) writers[i] = std::make_unique<HalfWriter<T>>(kPorts[i], *stores[i]);
  return writers;
}

}  // namespace fansim::tiled
