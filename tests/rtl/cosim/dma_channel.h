// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "axi/transfer.h"
#include "base/random.h"
#include "contract/dma_map.h"
#include "sim/module.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::cosim {

// Drives the lines from the DMA's registers to its descriptor engine.
class DmaLines final : public sim::Module {
 public:
  explicit DmaLines(const std::string& name) : Module(name.c_str()) {}
  sim::Reg<bool> halt{*this, "halt"}, mm2s_run{*this, "mm2s_run"}, s2mm_run{*this, "s2mm_run"};

 private:
  void step() override {}
};

// Plays the registers and the data mover for a channel of the descriptor engine. RS falls with an error, at random, so
// that it rises again before the chain has stopped, and in a reset.
class DmaChannelSide {
 public:
  DmaChannelSide(const std::string& name, sim::Reg<bool>& run, base::Random& random)
      : start((name + "_start").c_str()),
        event((name + "_event").c_str()),
        command((name + "_command").c_str()),
        done((name + "_done").c_str()),
        run_(run),
        random_(random) {}

  sim::Stream<axi::DescriptorStart> start;
  sim::Stream<axi::DescriptorEvent> event;
  sim::Stream<axi::TransferCommand> command;
  sim::Stream<axi::TransferDone> done;

  int left_starts = 0, left_done = 0;
  bool busy = false;
  std::uint32_t errors_seen = 0;
  std::int64_t extended = 0, restarted = 0;  // chains

  void next_phase() {
    failed_ = false;
    cyclic_ = random_.chance(15);
    wanted_ = random_.uniform(0, 6);
    stops_in_ = cyclic_ || random_.chance(30) ? random_.uniform(1, 400) : 0;
    if (!run_.next()) set_running();
  }

  void before_edge(bool halt) {
    if (event.can_pop()) take(event.pop());
    for (; begun_ < command.pops(); ++begun_) ++left_done;
    if (stops_in_ > 0 && --stops_in_ == 0 && run_.next()) {
      run_.set(false);
      resumes_in_ = random_.uniform(1, random_.chance(50) ? 4 : 40);
    }
    if (resumes_in_ > 0 && --resumes_in_ == 0 && !failed_ && !halt && !run_.next()) set_running();
    left_starts = wanted_ > 0 && run_.next() && !halt && random_.chance(fresh_ ? 50 : 10);
  }

  void reset() {
    run_.set(false);
    failed_ = false;
    resumes_in_ = random_.uniform(1, 40);
  }

  void make(axi::DescriptorStart& item, std::uint64_t current, std::uint64_t tail) {
    item = {current, tail, fresh_, cyclic_};
    extended += busy && !fresh_;
    restarted += busy && fresh_;
    --wanted_;
    ++starts_;
    fresh_ = false;
    busy = true;
  }

  void make(axi::TransferDone& item) {
    using namespace contract::dma_map;
    constexpr std::uint32_t kErrors[] = {kSrDmaIntErr, kSrDmaSlvErr, kSrDmaDecErr};
    item.bytes = static_cast<std::uint32_t>(random_.next()) & kDescLength;
    item.errors = random_.chance(3) ? kErrors[random_.uniform(0, 2)] : 0;
    item.begins = random_.chance(50);
    item.ends = random_.chance(50);
  }

 private:
  void set_running() {
    run_.set(true);
    fresh_ = true;
  }

  void take(const axi::DescriptorEvent& item) {
    errors_seen |= item.errors;
    if (item.kind == axi::DescriptorEvent::Kind::stopped && item.starts == starts_) busy = false;
    if (item.errors == 0) return;
    failed_ = true;
    if (run_.next()) run_.set(false);
  }

  sim::Reg<bool>& run_;
  base::Random& random_;
  int wanted_ = 0;                     // starts of the phase to come
  bool cyclic_ = false;                // its chains
  int stops_in_ = 0, resumes_in_ = 0;  // edges; 0: not
  int starts_ = 0;                     // ever
  bool failed_ = false, fresh_ = true;
  std::int64_t begun_ = 0;  // transfers
};

}  // namespace fansim::cosim
