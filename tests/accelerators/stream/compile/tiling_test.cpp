// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/compile/tiling.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "accelerators/stream/compile/check.h"
#include "accelerators/stream/compile/traffic.h"
#include "base/random.h"
#include "contract/dma_map.h"

namespace fansim::test::tiling_test {

namespace {

std::int64_t bytes_read(const contract::Program& program) {
  std::int64_t bytes = 0;
  for (const contract::HostOp& op : program.ops)
    if (op.kind == contract::HostOp::Kind::write_dma && op.address == contract::dma_map::kMm2sLength) bytes += op.value;
  return bytes;
}

std::int64_t jobs(const contract::Program& program) {
  std::int64_t count = 0;
  for (const contract::HostOp& op : program.ops) count += op.kind == contract::HostOp::Kind::wait_job;
  return count;
}

std::string random_layer(base::Random& random) {
  const int kernel = random.uniform(1, 5), channels = 8 * random.uniform(1, 6);
  const bool depthwise = random.chance(30);
  return fmt::format(
      "input: {{shape: [{}, {}, {}]}}\nlayers:\n"
      "  - {{name: conv, type: conv, filters: {}, kernel: {}, stride: {}, padding: {}, groups: {}}}\n",
      channels, random.uniform(5, 30), random.uniform(5, 30), depthwise ? channels : 8 * random.uniform(1, 12), kernel,
      random.uniform(1, 2), kernel / 2, depthwise ? channels : 1);
}

}  // namespace

TEST_CASE("The traffic a tiling is chosen for is the traffic of its program and never above the thesis's order") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    base::Random random(seed, "tiling");
    const network::Network network = network_of(random_layer(random), seed);
    stream::Config config = config_of({3, 3, 8, 8});
    config.buffers.input_kib = 16;
    config.buffers.weight_kib = 32 * random.uniform(1, 3);
    config.buffers.resident_kib = 8 * random.uniform(0, 4);
    config.array.accumulator_depth = 256 * random.uniform(1, 4);
    CAPTURE(seed);
    std::int64_t read[2];
    for (const auto order : {stream::LoopOrder::least_traffic, stream::LoopOrder::thesis}) {
      config.schedule.loop_order = order;
      const network::Layer& layer = network.layers[0];
      const stream::Place in = stream::make_place(layer.in, stream::border_of(layer), 8, 8);
      const stream::Place out = stream::make_place(layer.out, {}, 8, 8);
      const stream::Convolution convolution = stream::convolution(layer, nullptr, in, out);
      const auto tiling = stream::choose_tiling(convolution, config);
      REQUIRE(std::holds_alternative<stream::Tiling>(tiling));
      const stream::Traffic expected = stream::traffic(std::get<stream::Tiling>(tiling), convolution, config);
      const contract::Program program = compiled(network, config);
      REQUIRE(expected.bytes == bytes_read(program));
      REQUIRE(expected.jobs == jobs(program));
      read[static_cast<int>(order)] = expected.bytes;
    }
    REQUIRE(read[static_cast<int>(stream::LoopOrder::least_traffic)] <=
            read[static_cast<int>(stream::LoopOrder::thesis)]);
  }
}

TEST_CASE("Layers that differ in anything that decides their jobs ask for different steps before they are cut") {
  const stream::Config config = config_of({3, 3, 8, 8});
  const auto asked = [&](const auto& change) {
    stream::Place in = stream::make_place(network::Shape::map(16, 20, 20), {1, 1, 1, 1}, 8, 8),
                  out = stream::make_place(network::Shape::map(32, 10, 10), {}, 8, 8);
    stream::Convolution c;
    c.sources = {&in};
    c.output = &out;
    c.kernels = {{}, 32, 16, 1, 3};
    c.stride = 1;
    c.pad_top = c.pad_left = 1;
    c.rows = c.columns = 20;
    c.pool = stream::Pool{2, 2, 0, 0, 10, 10};
    compile::Memory memory;
    change(c, in, out, memory);
    std::string bytes;
    const stream::CutCache known{[&](const std::string& uncut) {
                                   bytes = uncut;
                                   return true;
                                 },
                                 nullptr};
    const auto jobs = stream::convolution_jobs(c, config, memory, known);
    REQUIRE(std::get<stream::Jobs>(jobs).empty());
    return bytes;
  };
  using Change = std::function<void(stream::Convolution&, stream::Place&, stream::Place&, compile::Memory&)>;
  std::vector<Change> changes{[](auto&, auto&, auto&, auto&) {}};
  const auto add = [&](auto change) {
    changes.push_back([=](auto& c, auto& in, auto& out, auto& memory) { change(c, in, out, memory); });
  };
  for (int stream::Kernels::*field :
       {&stream::Kernels::filters, &stream::Kernels::channels, &stream::Kernels::groups, &stream::Kernels::kernel})
    add([=](auto& c, auto&, auto&, auto&) { c.kernels.*field += 1; });
  for (int stream::Convolution::*field :
       {&stream::Convolution::stride, &stream::Convolution::pad_top, &stream::Convolution::pad_left,
        &stream::Convolution::rows, &stream::Convolution::columns})
    add([=](auto& c, auto&, auto&, auto&) { c.*field += 1; });
  for (int stream::Pool::*field : {&stream::Pool::kernel, &stream::Pool::stride, &stream::Pool::top,
                                   &stream::Pool::left, &stream::Pool::rows, &stream::Pool::columns})
    add([=](auto& c, auto&, auto&, auto&) { (*c.pool).*field += 1; });
  add([](auto& c, auto&, auto&, auto&) { c.pool.reset(); });
  add([](auto& c, auto& in, auto&, auto&) { c.sources.push_back(&in); });
  add([](auto& c, auto& in, auto&, auto&) {
    c.sources.push_back(&in);
    c.constants = {1, 2};
  });
  add([](auto& c, auto&, auto&, auto&) { c.requantisation.scale = {2}; });
  add([](auto& c, auto&, auto&, auto&) { c.requantisation.shift = {3}; });
  add([](auto& c, auto&, auto&, auto&) { c.requantisation.scale = {1, 2}; });
  add([](auto& c, auto&, auto&, auto&) { c.requantisation.zero_point = 5; });
  add([](auto& c, auto&, auto&, auto&) { c.requantisation.is_unsigned = true; });
  add([](auto& c, auto&, auto&, auto&) { c.requantisation.relu = true; });
  add([](auto&, auto&, auto&, auto& memory) { memory.reserve(1); });
  for (const bool output : {false, true}) {
    const auto place = [&](auto change) { add([=](auto&, auto& in, auto& out, auto&) { change(output ? out : in); }); };
    for (int stream::Place::*field :
         {&stream::Place::planes, &stream::Place::height, &stream::Place::width, &stream::Place::lanes})
      place([=](auto& p) { p.*field += 1; });
    for (int stream::Border::*field :
         {&stream::Border::top, &stream::Border::left, &stream::Border::bottom, &stream::Border::right})
      place([=](auto& p) { p.border.*field += 1; });
    place([](auto& p) { p.address += 8; });
    place([](auto& p) { p.is_unsigned = true; });
  }
  std::set<std::string> all;
  for (const Change& change : changes) {
    CAPTURE(all.size());
    CHECK(all.insert(asked(change)).second);
  }
}

TEST_CASE("The thesis's order makes one job per output row and input-channel group") {
  const stream::Config config = config_of({3, 3, 8, 8}, stream::LoopOrder::thesis);
  const contract::Program program = compiled(model("vgg16", false), config, [] {
    compile::Options options;
    options.layers = {1};  // conv1_2: 64 to 64 channels, 224 rows
    options.values = false;
    return options;
  }());
  CHECK(jobs(program) == 224 * 8);
  // The bytes are padded rows, three kernel rows per job, and all weights and all bias once.
  CHECK(bytes_read(program) == 224 * 8 * 3 * 226 * 8 + 64 * 64 * 9 + 64 * 4);
}

}  // namespace fansim::test::tiling_test
