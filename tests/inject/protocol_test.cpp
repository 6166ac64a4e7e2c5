// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "inject/machine.h"
#include "sim/violation.h"
#include "support/user_error.h"

// These tests show what the driver sees of faults in the protocol, and what it does.
namespace fansim::protocol_test {

using test::hashes;
using test::small_run;
using test::tells;
using test::without_faults;

namespace {

const std::vector<std::string> kPatient{"host.timeout=20000"};
const std::vector<std::string> kRetries{"host.timeout=20000", "host.retry=1"};

// The driver tries the layer again, and all outputs are right.
void check_recovered(const runs::Run& run, const std::vector<std::string>& settings = {}) {
  const runs::Run golden = without_faults(settings);
  CHECK(run.faults->gave_up.empty());
  CHECK(run.faults->attempts == 1);
  CHECK(hashes(run) == hashes(golden));
  CHECK(run.total().cycles > golden.total().cycles);
}

std::string hang_of(const runs::Request& request) {
  try {
    runs::run(request);
  } catch (const sim::Hang& hang) {
    return hang.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a machine without a fault takes the same cycles whatever its driver would do") {
  const runs::Run run = runs::run(small_run({}, {"host.timeout=1", "host.retry=1"}));
  const runs::Run golden = without_faults();
  CHECK(run.total().cycles == golden.total().cycles);
  CHECK(hashes(run) == hashes(golden));
  CHECK_FALSE(run.faults);
}

TEST_CASE("SLVERR on the third read burst sets DMASlvErr and the driver that polls it gives up") {
  const runs::Run run = runs::run(small_run({"kind=slverr, at=ddr.read, nth=3"}));
  REQUIRE(run.faults->events.size() == 4);
  CHECK(run.faults->events[0].what == "ddr.read: a burst is answered SLVERR");
  CHECK(run.faults->events[0].layer == "conv1");
  CHECK(run.faults->events[1].what == "MM2S has stopped");
  CHECK(run.faults->events[1].cycle > run.faults->events[0].cycle);
  CHECK(run.faults->events[2].what == "MM2S_DMASR 0x00004021 Halted DMASlvErr Err_Irq");
  CHECK(run.faults->events[3].what == "S2MM_DMASR 0x00000000");
  CHECK(run.faults->gave_up == "conv1: MM2S has stopped");
  CHECK(run.layers.front().buckets.empty());
}

TEST_CASE("DECERR on a read burst within a layer is DMADecErr") {
  const runs::Run run = runs::run(small_run({"kind=decerr, at=ddr.read, layer=conv2, cycle=500"}));
  CHECK(run.faults->events.front().layer == "conv2");
  CHECK(tells(run, "Halted DMADecErr Err_Irq"));
  CHECK(run.faults->gave_up == "conv2: MM2S has stopped");
  CHECK_FALSE(run.layers.front().buckets.empty());
  CHECK(run.layer("conv2").buckets.empty());
}

TEST_CASE("the driver resets DMA and core after SLVERR and the layer comes out right") {
  check_recovered(runs::run(small_run({"kind=slverr, at=ddr.read, nth=3"}, {"host.retry=1"})));
}

TEST_CASE("a read that fails in the midst of a job is tried again too") {
  check_recovered(runs::run(small_run({"kind=decerr, at=ddr.read, layer=conv3, cycle=1200"}, {"host.retry=3"})));
}

TEST_CASE("an error that comes every time uses up the attempts") {
  const runs::Run run = runs::run(small_run({"kind=slverr, at=ddr.read, nth=3, count=1000000"}, {"host.retry=2"}));
  CHECK(run.faults->attempts == 2);
  CHECK(run.faults->gave_up == "conv1: MM2S has stopped");
}

TEST_CASE("nobody polls S2MM: its error is a hang without a timeout") {
  CHECK(hang_of(small_run({"kind=slverr, at=ddr.write, nth=2"})).find("nothing moved for 1000000 cycles") !=
        std::string::npos);
}

TEST_CASE("the driver finds S2MM's error with a timeout and tries again") {
  const runs::Run run = runs::run(small_run({"kind=slverr, at=ddr.write, nth=2"}, kRetries));
  CHECK(tells(run, "S2MM_DMASR 0x00004021 Halted DMASlvErr Err_Irq"));
  check_recovered(run);
}

TEST_CASE("a burst that is answered late costs cycles and nothing else") {
  const runs::Run run = runs::run(small_run({"kind=stall, at=ddr.read, nth=5, cycles=3000"}));
  const runs::Run golden = without_faults();
  CHECK(hashes(run) == hashes(golden));
  CHECK(run.layers.front().cycles > golden.layers.front().cycles + 2000);
  CHECK(run.layers.front().cycles < golden.layers.front().cycles + 3000 + 50);  // a poll, and a refresh, later
  for (std::size_t i = 1; i < run.layers.size(); ++i) CHECK(run.layers[i].cycles == golden.layers[i].cycles);
}

TEST_CASE("a response of a write that comes late costs cycles and nothing else") {
  const runs::Run run = runs::run(small_run({"kind=stall, at=ddr.write, nth=1, cycles=20000"}));
  CHECK(hashes(run) == hashes(without_faults()));
  CHECK(run.total().cycles > without_faults().total().cycles);
}

TEST_CASE("a read that is never answered is a hang since the driver polls for ever") {
  const std::string hang = hang_of(small_run({"kind=stall, at=ddr.read, nth=5"}, {"host.register_read=100000"}));
  CHECK(hang.find("MM2S busy for 20000000 cycles") != std::string::npos);
}

TEST_CASE("a DMA that waits for a read that is never answered does not end its reset") {
  const runs::Run run = runs::run(small_run({"kind=stall, at=ddr.read, nth=5"}, kRetries));
  CHECK(tells(run, "MM2S is busy after 20000 cycles"));
  CHECK(run.faults->gave_up ==
        "conv1: MM2S is busy after 20000 cycles; then the DMA's reset did not end within 20000 cycles");
}

TEST_CASE("a lost job interrupt is a hang without a timeout") {
  CHECK(hang_of(small_run({"kind=drop, at=host.job_interrupt, nth=2"})).find("host waits for the job interrupt") !=
        std::string::npos);
}

TEST_CASE("after a lost job interrupt and a timeout the layer comes out right") {
  const runs::Run run = runs::run(small_run({"kind=drop, at=host.job_interrupt, nth=2"}, kRetries));
  CHECK(tells(run, "host.job_interrupt: one is lost"));
  CHECK(tells(run, "no job interrupt within 20000 cycles"));
  check_recovered(run);
}

TEST_CASE("after a lost end-of-layer interrupt and a timeout the layer comes out right") {
  const runs::Run run = runs::run(small_run({"kind=drop, at=host.layer_interrupt, layer=conv4"}, kRetries));
  CHECK(tells(run, "no end-of-layer interrupt within 20000 cycles"));
  check_recovered(run);
}

TEST_CASE("without attempts the driver reports a lost interrupt") {
  const runs::Run run = runs::run(small_run({"kind=drop, at=host.layer_interrupt"}, kPatient));
  CHECK(run.faults->gave_up == "conv1: no end-of-layer interrupt within 20000 cycles");
}

TEST_CASE("a DMA channel that loses its run bit is seen halted and set running again") {
  const runs::Run run = runs::run(small_run({"kind=halt, at=dma.mm2s, layer=conv2, cycle=300"}, kRetries));
  CHECK(tells(run, "dma.mm2s: the run bit is lost"));
  CHECK(tells(run, "Halted"));
  check_recovered(run);
}

TEST_CASE("a halted S2MM takes no transfer: the layer's end never comes") {
  const runs::Run run = runs::run(small_run({"kind=halt, at=dma.s2mm, layer=conv2, cycle=300"}, kRetries));
  CHECK(tells(run, "no end-of-layer interrupt within 20000 cycles") |
        tells(run, "no job interrupt within 20000 cycles"));
  CHECK(tells(run, "S2MM_DMASR 0x00000001 Halted"));
  check_recovered(run);
}

TEST_CASE("a recurrent layer begins again from its first step") {
  for (const char* fault : {"kind=drop, at=host.job_interrupt, nth=3"}) {
    const runs::Run run = runs::run(small_run({fault}, kRetries, "tiny_lstm"));
    CHECK(run.faults->attempts == 1);
    CHECK(hashes(run) == hashes(without_faults({}, "tiny_lstm")));
  }
}

TEST_CASE("places that a machine lacks are refused and so is what it cannot do") {
  const auto refusal = [](const std::string& fault, const std::vector<std::string>& settings = {}) {
    return test::message_of([&] { runs::run(small_run({fault}, settings)); });
  };
  CHECK(refusal("kind=flip, at=wieght_buffer.half0, cycle=1")
            .find("place 'wieght_buffer.half0' unknown; did you mean "
                  "'weight_buffer.half0'?") != std::string::npos);
}

TEST_CASE("a bit that a place does not have is refused") {
  CHECK(test::message_of([] {
          runs::run(small_run({"kind=flip, at=bias_buffer.half0, word=1024, bit=0, cycle=1"}));
        }).find("word 1024 of bias_buffer.half0: allowed: 0..1023") != std::string::npos);
}

TEST_CASE("a bit of a shift register is not stuck") {
  CHECK(test::message_of([] { runs::run(small_run({"kind=stuck, at=lines.lines, cycle=1"})); }).find("move on") !=
        std::string::npos);
}

TEST_CASE("an interrupt has no bits") {
  CHECK(test::message_of([] {
          runs::run(small_run({"kind=flip, at=host.job_interrupt, cycle=1"}));
        }).find("host.job_interrupt is no place of kind flip") != std::string::npos);
}

}  // namespace fansim::protocol_test
