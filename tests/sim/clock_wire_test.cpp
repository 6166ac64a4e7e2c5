// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <memory>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "sim/waveform.h"
#include "support/stream_bench.h"

namespace fansim::clock_wire_test {

namespace {

// Is the first to ask for the clock's wire, while it is built, as modules with checkers are.
struct Asking : sc_core::sc_module {
  Asking(const sc_core::sc_module_name& name, sim::ClockDomain& clock) : sc_module(name) { in(clock.clk()); }
  sc_core::sc_in<bool> in{"in"};
};

}  // namespace

TEST_CASE("a waveform shows a clock's wire by its domain's name whichever module asked for it first") {
  const base::TemporaryFolder folder;
  const std::string file = folder.path() + "/clock.vcd";
  test::Bench bench;
  sim::Stream<int> shown("shown");
  Asking asking("asking", bench.clock);
  sim::WaveformWindow window;
  window.to = 10;
  bench.scheduler.record(std::make_unique<sim::Waveform>(file, window));
  bench.run(20);
  const std::string text = base::read_file(file);
  CHECK_THAT(text, Catch::Contains("clock_clk"));
  CHECK_THAT(text, !Catch::Contains("asking"));
}

}  // namespace fansim::clock_wire_test
