// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "axi/types.h"
#include "contract/program.h"
#include "contract/result.h"
#include "contract/statistics.h"
#include "memory/ddr.h"
#include "platform/host.h"
#include "sim/scheduler.h"
#include "sim/stream.h"

namespace fansim::platform {

// Holds what every clocked machine has around its own blocks: the memory's ports, the host, and the streams between the
// host and the machine's registers. A machine derives from it, creates its blocks, then the host, and says what it has
// counted. It says nothing of a DMA or an interrupt that it does not have.
class Shell : public sc_core::sc_module {
 public:
  // This is what the shell is made from, beside the machine's configuration.
  struct Frame {
    contract::Program& program;
    bool values;
    const memory::MakeDdr& make_ddr;
    LayerHooks hooks;
    sim::Scheduler& scheduler;
    sim::ClockDomain& clock;
  };

  ~Shell() override;

  Host& host() { return *host_; }
  const Host& host() const { return *host_; }
  memory::Ddr& ddr() { return *ports_.front(); }
  void quiesce();

  virtual const contract::Account& account() const = 0;
  // begin() is called at a layer's first edge, after what was counted before is read; end() at the first edge behind
  // the layer, before it is read again.
  virtual void begin(const contract::LayerPlan&) {}
  virtual void end() {}
  // Adds to a layer's buckets the edges whose bucket shows only at the layer's end.
  virtual void settle(contract::LayerResult&) {}
  // Returns what saturated in the machine's quantiser since the last call; null: it has none.
  virtual std::optional<arith::Saturation> take_saturation() { return std::nullopt; }
  // Puts into `result` what the blocks have counted so far: bytes, stages and the machine's own statistics.
  virtual void count(contract::LayerResult& result) const = 0;
  // Returns the edges of each of the account's first buckets so far. An edge that adds to several is of the first. The
  // bucket behind them gets the layer's cycles that none of them has.
  virtual std::vector<base::Cycles> buckets() const = 0;
  // Returns the bucket of an edge of a layer that no bucket has counted yet.
  virtual std::size_t uncounted() const { return account().buckets.size() - 1; }
  // Returns the blocks that a reset of the core resets, in their order; empty: it has no reset.
  virtual std::vector<sim::Module*> core() { return {}; }

 protected:
  Shell(const sc_core::sc_module_name& name, Frame& frame) : sc_core::sc_module(name), frame_(frame) {}
  // Creates the memory, one module for each port. A single port is made by frame.make_ddr.
  Shell(const sc_core::sc_module_name& name, Frame& frame, const std::vector<std::string>& ports,
        const contract::DdrConfig& ddr, const contract::AxiConfig& axi);

  memory::Ddr& port(std::size_t i) { return *ports_[i]; }
  // Tells of a port of a memory that the machine has created itself.
  void has_port(memory::Ddr& port) { ports_.push_back(&port); }

  // Creates the host, which steps behind all blocks that there are by now.
  void make_host(const contract::HostConfig& config, Interrupts interrupts);
  // Connects the host's port of registers with the block that has them.
  template <class Registers>
  void connect_registers(Registers& registers) {
    control_ = std::make_unique<Control>();
    host_->core(control_->request);
    registers.request(control_->request);
    registers.response(control_->response);
    host_->core_response(control_->response);
  }
  // Ties off the host's port of a DMA: the machine moves its data itself.
  void without_dma(const char* request = "no_request", const char* response = "no_response");

  // Does all three for a machine that does jobs.
  template <class Registers>
  void control_by(const contract::HostConfig& config, Registers& registers) {
    make_host(config, {registers.ended()});
    connect_registers(registers);
    without_dma();
  }

 private:
  struct Control {
    sim::Stream<axi::LiteRequest> request{"request"};
    sim::Stream<axi::LiteResponse> response{"response"};
  };
  struct Unused {
    sim::Stream<axi::LiteRequest> request;
    sim::Stream<axi::LiteResponse> response;
  };

  Frame& frame_;  // until the host is made
  std::vector<std::unique_ptr<memory::Ddr>> memory_;
  std::vector<memory::Ddr*> ports_;
  std::unique_ptr<Host> host_;
  std::unique_ptr<Control> control_;
  std::unique_ptr<Unused> unused_;
};

}  // namespace fansim::platform
