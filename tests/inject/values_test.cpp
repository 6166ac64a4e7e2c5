// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <set>

#include "inject/machine.h"
#include "support/user_error.h"

// These tests show what faults in bits do to values.
namespace fansim::values_test {

using test::hashes;
using test::small_run;
using test::tells;
using test::without_faults;

namespace {

// Runs the fast engine, and the clocked one if the process has not elaborated a machine yet.
runs::Run on(runs::Engine engine, const std::vector<std::string>& faults) {
  runs::Request request = small_run(faults);
  request.engine = engine;
  request.engine_said = true;
  return runs::run(request);
}

// One pass: four filters of one group of channels.
struct OnePass : base::TemporaryFolder {
  std::string file = path() + "/n.yaml";
  OnePass() {
    base::write_file(file,
                     "version: 1\nname: n\ninput: {shape: [4, 8, 8], type: int8}\nlayers:\n"
                     "  - {name: c, type: conv, filters: 4, kernel: 3, padding: 1}\n");
  }
  runs::Request request(const std::vector<std::string>& faults, const std::vector<std::string>& settings = {}) const {
    runs::Request request = small_run(faults, settings);
    request.network = file;
    return request;
  }
  // Returns the channels in which the output differs from that without a fault.
  std::vector<int> channels(const runs::Run& run) const {
    runs::Request golden = request({});
    golden.engine = runs::Engine::fast;
    const network::Tensor right = runs::run(golden).output;
    std::vector<int> wrong;
    for (std::size_t i = 0; i < right.size(); ++i) {
      const int channel = static_cast<int>(i / 64);
      if (right.at(i) != run.output.at(i) && (wrong.empty() || wrong.back() != channel)) wrong.push_back(channel);
    }
    return wrong;
  }
};

}  // namespace

TEST_CASE("a bit of a weight that flips in DDR changes the same bytes on both engines") {
  const std::vector<std::string> faults{"kind=flip, at=ddr.data, layer=conv2", "kind=flip, at=ddr.data, layer=conv3",
                                        "kind=flip, at=ddr.data"};
  const runs::Run fast = on(runs::Engine::fast, faults), clocked = on(runs::Engine::clocked, faults);
  CHECK(hashes(fast) == hashes(clocked));
  REQUIRE(fast.faults->events.size() == 3);
  REQUIRE(clocked.faults->events.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(fast.faults->events[i].what == clocked.faults->events[i].what);
}

TEST_CASE("a cross-checked run lets flips of the memory happen on both engines") {
  runs::Request request = small_run({"kind=flip, at=ddr.data, layer=conv3, word=5000, bit=6"});
  request.engine = runs::Engine::fast;
  request.cross_check = true;
  const runs::Run run = runs::run(request);
  CHECK(run.differences.empty());
}

TEST_CASE("a flip in the input's bytes is seen by verification") {
  runs::Request request = small_run({});
  request.engine = runs::Engine::fast;
  request.verify = true;
  REQUIRE(runs::run(request).differences.empty());
  std::size_t wrong = 0;
  for (int word = 0; word < 4000 && wrong == 0; word += 97) {
    request.faults = {contract::parse_fault("kind=flip, at=ddr.data, bit=6, word=" + std::to_string(word))};
    wrong = runs::run(request).differences.size();
  }
  CHECK(wrong > 0);
}

TEST_CASE("what is drawn follows from the seed and the fault's number") {
  runs::Request request = small_run({"kind=flip, at=ddr.data", "kind=flip, at=ddr.data"});
  request.engine = runs::Engine::fast;
  const auto first = runs::run(request).faults->events, again = runs::run(request).faults->events;
  request.seed = 2;
  const auto other = runs::run(request).faults->events;
  REQUIRE(first.size() == 2);
  CHECK(first[0].what == again[0].what);
  CHECK(first[0].what != first[1].what);
  CHECK(first[0].what != other[0].what);
}

// In the first row of the weight buffer, byte 0 of the tap column belongs to output channel 0.
TEST_CASE("a stuck bit of a weight in the buffer changes the output channel that it belongs to") {
  const OnePass network;
  const int byte = GENERATE(0, 13, 26, 40);  // 12 bytes of a column for each output channel
  std::set<int> wrong;
  for (const char* value : {"0", "1"}) {
    const std::string fault =
        "kind=stuck, at=weight_buffer.half1, bit=6, value=" + std::string(value) + ", word=" + std::to_string(byte);
    const std::string text = base::in_child_process([&] {
      std::string channels;
      for (const int channel : network.channels(runs::run(network.request({fault}))))
        channels += std::to_string(channel);
      return channels;
    });
    for (const char c : text) wrong.insert(c - '0');
  }
  CHECK(wrong == std::set<int>{byte / 12});
}

TEST_CASE("a flip hits at its cycle: not before the weights are there and not behind their last use") {
  const OnePass network;
  const auto wrong_at = [&](int cycle) {
    return base::in_child_process([&] {
             const std::string fault =
                 "kind=flip, at=weight_buffer.half1, word=1, bit=6, layer=c, cycle=" + std::to_string(cycle);
             return std::to_string(network.channels(runs::run(network.request({fault}))).size());
           }) != "0";
  };
  runs::Request golden = network.request({});
  golden.engine = runs::Engine::fast;
  const int cycles = static_cast<int>(runs::run(golden).layers.front().cycles);
  CHECK_FALSE(wrong_at(1));
  CHECK_FALSE(wrong_at(cycles));
  bool any = false;
  for (int cycle = 100; cycle < cycles && !any; cycle += 50) any = wrong_at(cycle);
  CHECK(any);
}

TEST_CASE("flips at a rate come as often as it says") {
  const runs::Run run = runs::run(small_run({"kind=flip, at=pooling.lines, rate=1000"}));
  const auto expected = static_cast<double>(run.total().cycles) / 1000;
  const auto flips = static_cast<double>(run.faults->events.size());
  CHECK(flips > expected / 2);
  CHECK(flips < expected * 2);
}

TEST_CASE("a product's register that sticks reaches the sums of its output channel alone") {
  const OnePass network;
  const runs::Run run = runs::run(network.request({"kind=stuck, at=array.products, word=50, bit=13, value=1"}));
  CHECK(network.channels(run) == std::vector<int>{1});
}

TEST_CASE("a weight's register that flips between two passes' loads changes its channel") {
  const OnePass network;
  const runs::Run run =
      runs::run(network.request({"kind=flip, at=array.weights, word=80, bit=6, layer=c, cycle=700",
                                 "kind=flip, at=array.weights, word=224, bit=6, layer=c, cycle=700"}));
  for (const int channel : network.channels(run)) CHECK(channel == 2);
}

TEST_CASE("entries of a reconfigurable table that stick change the products that look them up") {
  const OnePass network;
  std::vector<std::string> faults;
  for (int bit = 16; bit < 32; ++bit)  // bit 7 of every entry: of output 1's value 4, lower slice
    faults.push_back("kind=stuck, at=array.tables, value=1, word=" + std::to_string(12 * (36 + 4) + 3) +
                     ", bit=" + std::to_string(bit));
  const runs::Run run = runs::run(network.request(faults, {"array.multiplier=lut_reconfigurable"}));
  CHECK(network.channels(run) == std::vector<int>{1});
}

TEST_CASE("a multiplier of DSP slices has no tables") {
  const OnePass network;
  CHECK(test::message_of([&] {
          runs::run(network.request({"kind=flip, at=array.tables, cycle=1"}));
        }).find("array.tables has no bits on this machine") != std::string::npos);
}

TEST_CASE("upsets of every place of the machine end in a result") {
  for (const char* place : {"accumulator.sums", "output_buffer.half0", "input_buffer.half1", "window.taps",
                            "lines.lines", "pooling.lines", "bias_buffer.half0", "weight_buffer.resident"}) {
    CAPTURE(place);
    const std::string happened = base::in_child_process([&] {
      const runs::Run run = runs::run(small_run({std::string("kind=flip, cycle=20000, at=") + place}));
      return run.faults->events.empty() ? std::string("nothing") : run.faults->events.front().what;
    });
    CHECK(happened.rfind(place, 0) == 0);
  }
}

TEST_CASE("the hidden state and the cell state of a recurrent layer are places") {
  const runs::Run run = runs::run(
      small_run({"kind=stuck, at=cell.h, word=0, bit=6, value=1", "kind=stuck, at=cell.next_h, word=0, bit=6, value=1",
                 "kind=stuck, at=cell.c, word=1, bit=14, value=1"},
                {}, "tiny_lstm"));
  CHECK(hashes(run) != hashes(without_faults({}, "tiny_lstm")));
}

}  // namespace fansim::values_test
