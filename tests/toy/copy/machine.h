// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "axi/port_streams.h"
#include "platform/clocked_machine.h"
#include "toy/copy/config.h"
#include "toy/copy/copy_engine.h"

namespace fansim::copy {

// Host, copy engine, memory, and the streams between them.
class Machine final : public platform::ClockedMachine {
 public:
  Machine(const Config& config, contract::Program program, platform::MachineOptions options);

 private:
  // What SystemC's hierarchy calls "top".
  struct Top final : sc_core::sc_module {
    Top(const sc_core::sc_module_name& name, const Config& config, contract::Program& program,
        const memory::MakeDdr& make_ddr, platform::LayerHooks hooks);

    std::unique_ptr<memory::Ddr> ddr;
    CopyEngine engine;
    platform::Host host;
    axi::PortStreams port{"axi"};
    sim::Stream<axi::LiteRequest> request{"request"}, no_request{"no_request"};
    sim::Stream<axi::LiteResponse> response{"response"}, no_response{"no_response"};
  };

  platform::Host& host() override { return top_.host; }
  memory::Ddr& ddr() override { return *top_.ddr; }
  void begin(const contract::LayerPlan& plan) override;
  void end(contract::LayerResult& result) override;
  std::vector<base::Cycles> edges() const override;

  const Config config_;
  Top top_;
  std::int64_t bursts_ = 0, beats_ = 0, reading_ = 0, writing_ = 0;  // at the layer's begin
};

}  // namespace fansim::copy
