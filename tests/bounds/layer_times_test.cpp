// SPDX-License-Identifier: Apache-2.0
#include "accelerators/layer_times.h"

#include <catch2/catch.hpp>
#include <variant>

#include "accelerators/stream/bounds/stream_model.h"
#include "subject.h"

namespace fansim::layer_times_test {

TEST_CASE("layers' times that no longer fit memory are found out again, the same") {
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

}  // namespace fansim::layer_times_test
