// SPDX-License-Identifier: Apache-2.0
#include "accelerators/layer_times.h"

#include <catch2/catch.hpp>
#include <string>
#include <variant>

#include "accelerators/stream/bounds/stream_model.h"
#include "base/workers.h"
#include "explore/store.h"
#include "subject.h"
#include "support/user_error.h"

namespace fansim::layer_times_test {

TEST_CASE("layers' times that no longer fit memory are found out again and are the same") {
  const explore::Space space = test::space_named("tiny_stream");
  const stream::Config config = stream::Config::read(space.config, space.set);
  network::LoadOptions load;
  load.values = false;
  const network::Network network = network::load_network(test::model("lenet5"), load);
  accelerators::LayerTimes all, few(1);
  std::int64_t asked = 0;
  for (int round = 0; round < 3; ++round)
    for (const int layer : {0, 2}) {
      ++asked;
      const auto program = std::get<contract::Program>(accelerators::program_of(network, layer, config));
      CHECK(few.time(config, program, {}).cycles == all.time(config, program, {}).cycles);
    }
  CHECK(all.simulated() < asked);
  CHECK(few.simulated() == asked);
}

// Times are found out by two threads at once, found in memory and found in the store.
TEST_CASE("layers that a search with a store simulates are counted once each by however many threads") {
  const test::ScratchDirectory folder;
  for (int round = 0; round < 60; ++round) {
    explore::Store store(folder / (std::to_string(round) + ".db"), {{explore::kBuild, "1"}});
    accelerators::LayerTimes times;
    times.keep_in(&store, nullptr);
    constexpr std::size_t kLayers = 40, kThreads = 4;
    base::Workers(kThreads).each(kThreads, [&](std::size_t) {
      for (std::size_t layer = 0; layer < kLayers; ++layer) {
        const std::string key = std::to_string(layer);
        if (!times.find(key))
          times.simulate("a layer", {}, key, [](accelerators::Gaps&) { return contract::LayerResult(); });
      }
    });
    REQUIRE(times.simulated() == kLayers);
  }
}

}  // namespace fansim::layer_times_test
