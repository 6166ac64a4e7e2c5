// SPDX-License-Identifier: Apache-2.0
#include "accelerators/registry.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "accelerators/stream/config/config.h"
#include "accelerators/tiled/config/config.h"
#include "benches/bandwidth_config.h"
#include "support/user_error.h"

namespace fansim::registry_test {

using test::message_of;

namespace {

const std::string kConfigs = std::string(FANSIM_SOURCE_DIR) + "/configs/";
const std::string kSystems = kConfigs + "systems/", kDorefa8 = kSystems + "faq_zcu102_dorefa8.yaml";

}  // namespace

TEST_CASE("every configuration that comes with the program loads") {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kSystems)) {
    const auto accelerator = accelerators::read_accelerator(entry.path().string(), {});
    CHECK(accelerator->config().name == entry.path().stem());
    ++files;
  }
  CHECK(files >= 8);
}

TEST_CASE("a tiled configuration is not read as a streaming one nor the other way") {
  CHECK_THAT(message_of([] { stream::Config::read(kDorefa8, {}); }),
             Catch::Contains("system 'tiled': expected 'stream'"));
  CHECK_THAT(message_of([] { tiled::Config::read(kConfigs + "systems/tiny_stream.yaml", {}); }),
             Catch::Contains("system 'stream': expected 'tiled'"));
  CHECK_THAT(accelerators::read_accelerator(kDorefa8, {})->keys(), Catch::VectorContains<std::string>("conv.tm"));
  CHECK_THAT(message_of([] { accelerators::read_accelerator(kDorefa8, {"system=tield"}); }),
             Catch::Contains("system 'tield' unknown; did you mean 'tiled'?"));
}

TEST_CASE("words that users know for a system and that are none say which is") {
  CHECK_THAT(message_of([] { accelerators::read_accelerator(kDorefa8, {"system=lut_kernel"}); }),
             Catch::Contains("'array: {multiplier: lut_kernel}'"));
  CHECK_THAT(message_of([] { accelerators::read_accelerator(kDorefa8, {"system=trainer"}); }),
             Catch::Contains("system 'trainer' is 'float_trainer'"));
}

TEST_CASE("the tiled accelerator reads memory on the path that the bandwidth bench measures") {
  const tiled::Config c = tiled::Config::read(kDorefa8, {});
  const benches::BandwidthConfig bench = benches::load_bandwidth_bench(kConfigs + "parts/faq_bandwidth.yaml", {});
  CHECK(c.clock_mhz == bench.pl_mhz);
  CHECK(c.port_mhz == bench.port_mhz);
  CHECK(c.load.gap == bench.reader.gap);
  CHECK(c.load.outstanding == bench.reader.outstanding);
  CHECK(c.clock_converter.sync_stages == bench.clock_converter.sync_stages);
  CHECK(c.clock_converter.depth == bench.clock_converter.depth);
  CHECK(c.port.data_bits == bench.port.data_bits);
  CHECK(c.ddr.read_latency == bench.ddr.read_latency);
  CHECK(c.ddr.refresh_cycles == bench.ddr.refresh_cycles);
}

}  // namespace fansim::registry_test
