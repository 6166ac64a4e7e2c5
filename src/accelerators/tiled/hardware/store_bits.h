// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "accelerators/tiled/hardware/half_writer.h"
#include "sim/storage.h"

namespace fansim::tiled {

using StoreBits = std::vector<std::unique_ptr<sim::Memory>>;

// Shows the halves of the engines' tile stores to faults. A store that several engines share is shown once.
template <class T>
StoreBits store_bits(sim::Module& owner, const TileStores<T>& stores, int bits,
                     const std::function<bool()>& sign_extended) {
  static constexpr const char* kNames[Config::kEngines][2]{{"conv0", "conv1"}, {"first0", "first1"}, {"fc0", "fc1"}};
  StoreBits all;
  for (std::size_t engine = 0; engine < stores.size(); ++engine) {
    TileStore<T>* store = stores[engine];
    if (!store || (engine > 0 && store == stores.front())) continue;
    for (int half = 0; half < 2; ++half)
      all.push_back(std::make_unique<sim::Memory>(
          owner, kNames[engine][half], sim::Storage::Of::block_ram, [store, half, bits, sign_extended] {
            std::vector<T>& values = (*store)[half];
            return sim::StoredWords{values.data(), values.size(), sizeof(T), bits, sign_extended()};
          }));
  }
  return all;
}

}  // namespace fansim::tiled
