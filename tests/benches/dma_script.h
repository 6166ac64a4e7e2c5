// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "benches/dma_bench.h"
#include "contract/dma_map.h"

namespace fansim::test {

// A stimulus for the DMA bench, and what its run showed.
class DmaScript {
 public:
  using Kind = benches::DmaOp::Kind;

  benches::DmaBenchConfig config;

  DmaScript() {
    config.dma.mode = contract::DmaMode::scatter_gather;
    config.watchdog = 5000;
  }

  DmaScript& write(std::uint32_t address, std::uint32_t value) { return add({Kind::write, 0, address, value}); }
  DmaScript& read(std::uint32_t address) { return add({Kind::read, 0, address, 0}); }
  DmaScript& poke(std::uint64_t address, std::uint32_t value) { return add({Kind::poke, 0, address, value}); }
  DmaScript& peek(std::uint64_t address) { return add({Kind::peek, 0, address, 0}); }
  DmaScript& packet(std::uint32_t bytes) { return add({Kind::packet, 0, 0, bytes}); }
  DmaScript& wait_mm2s() { return add({Kind::wait_mm2s, 0, 0, 0}); }
  DmaScript& wait_s2mm() { return add({Kind::wait_s2mm, 0, 0, 0}); }
  // The step after this one waits for `edge`.
  DmaScript& at(sim::Edge edge) {
    from_ = edge;
    return *this;
  }
  DmaScript& descriptor(std::uint32_t at_address, std::uint32_t next, std::uint32_t buffer, std::uint32_t control) {
    for (std::uint32_t word = 0; word < 13; ++word) poke(at_address + word * 4, 0);
    poke(at_address, next);
    poke(at_address + contract::dma_map::kDescBuffer, buffer);
    return poke(at_address + contract::dma_map::kDescControl, control);
  }

  DmaScript& run() {
    bench = std::make_unique<benches::DmaBench>("bench", config, ops_);
    bench->run();
    events = bench->events();
    return *this;
  }

  // Returns the events of one kind, in order.
  std::vector<benches::DmaEvent> of(const std::string& what) const {
    std::vector<benches::DmaEvent> found;
    for (const benches::DmaEvent& event : events)
      if (event.what == what) found.push_back(event);
    return found;
  }
  sim::Edge cycle(const std::string& what, std::size_t i = 0) const {
    INFO(what);
    REQUIRE(of(what).size() > i);
    return of(what)[i].cycle;
  }
  std::uint64_t value(const std::string& what, std::size_t i = 0) const {
    INFO(what);
    REQUIRE(of(what).size() > i);
    return of(what)[i].value;
  }
  std::int64_t counter(const std::string& module, const std::string& name) const {
    for (const sim::Module* m : bench->modules())
      if (m->name() == "bench." + module)
        for (const sim::Counter* c : m->counters())
          if (c->name == name) return c->value();
    FAIL(module << "." << name);
    return 0;
  }

  std::unique_ptr<benches::DmaBench> bench;
  std::vector<benches::DmaEvent> events;

 private:
  DmaScript& add(benches::DmaOp op) {
    op.cycle = from_;
    from_ = 0;
    ops_.push_back(op);
    return *this;
  }
  std::vector<benches::DmaOp> ops_;
  sim::Edge from_ = 0;
};

}  // namespace fansim::test
