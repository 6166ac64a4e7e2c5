// SPDX-License-Identifier: Apache-2.0
#include "toy/copy/machine.h"

#include "toy/copy/account.h"

namespace fansim::copy {

Machine::Top::Top(const sc_core::sc_module_name& name, const Config& config, contract::Program& program,
                  const memory::MakeDdr& make_ddr, platform::LayerHooks hooks)
    : sc_core::sc_module(name),
      ddr(make_ddr("ddr", config.ddr, config.axi, std::move(program.memory))),
      engine("engine", config),
      host("host", config.host, program.ops,
           platform::Interrupts{[] { return std::int64_t{0}; }, [this] { return engine.copies_done(); }},
           std::move(hooks)) {
  host.core(request);
  engine.request(request);
  engine.response(response);
  host.core_response(response);
  host.dma(no_request);
  host.dma_response(no_response);  // there is no DMA
  engine.ar(port.ar);
  ddr->ar(port.ar);
  ddr->r(port.r);
  engine.r(port.r);
  engine.aw(port.aw);
  ddr->aw(port.aw);
  engine.w(port.w);
  ddr->w(port.w);
  ddr->b(port.b);
  engine.b(port.b);
}

Machine::Machine(const Config& config, contract::Program program, platform::MachineOptions options)
    : platform::ClockedMachine(std::move(program), std::move(options), config.clock_mhz),
      config_(config),
      top_("top", config_, program_, options_.make_ddr, hooks()) {}

void Machine::begin(const contract::LayerPlan&) {
  top_.ddr->quiesce();
  bursts_ = top_.engine.bursts();
  beats_ = top_.engine.beats();
  reading_ = top_.engine.reading();
  writing_ = top_.engine.writing();
}

void Machine::end(contract::LayerResult& result) {
  const CopyEngine& engine = top_.engine;
  result.bytes_read = result.bytes_written = (engine.beats() - beats_) * config_.axi.beat_bytes();
  kBursts.set(result, engine.bursts() - bursts_);
  result.buckets.resize(kBuckets);
  result.buckets[kRead] = engine.reading() - reading_;
  result.buckets[kWrite] = engine.writing() - writing_;
  result.buckets[kHost] = result.cycles - result.buckets[kRead] - result.buckets[kWrite];
}

std::vector<base::Cycles> Machine::edges() const { return {top_.engine.reading(), top_.engine.writing()}; }

}  // namespace fansim::copy
