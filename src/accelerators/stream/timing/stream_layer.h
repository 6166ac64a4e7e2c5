// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "accelerators/stream/config/config.h"
#include "accelerators/stream/timing/data_path.h"
#include "accelerators/stream/timing/host_trace.h"
#include "accelerators/stream/timing/layer_account.h"
#include "accelerators/stream/timing/stream_core.h"
#include "contract/host.h"
#include "contract/host_steps.h"
#include "contract/result.h"

namespace fansim::stream {

// One layer on the streaming accelerator, from its first step to its last: the host's acts one after another, and what
// core, DMA and memory do meanwhile. A layer starts on a quiescent machine, so nothing comes before it.
class StreamLayer {
 public:
  // `buckets`: whether they are asked for. The trace outlives the layer.
  StreamLayer(const Config& config, const HostTrace& trace, bool buckets = true);
  virtual ~StreamLayer() = default;

  // Follows all of the layer.
  void follow(const contract::ProgressCallback& progress);
  // Fills in cycles, bytes and, if they are asked for, buckets.
  void finish(contract::LayerResult& result) const;
  // The gap behind the last write burst, in edges of the next layer: the one thing that outlives a layer.
  timing::Edge gap_until() const { return data_->output().gap_until() - now_; }
  void wait_gap(timing::Edge until) { data_->output().wait_gap(until); }

 protected:
  StreamLayer(const Config& config, const HostTrace& trace, bool buckets, std::unique_ptr<StreamCore> core,
              std::unique_ptr<DataPath> data);

  // How many of a round's times from `time` on need not be followed, as the machine was made to have done them.
  virtual std::uint32_t replay_rounds(const Act* /*acts*/, const Round&, std::uint32_t /*time*/) { return 0; }
  // The edge at which the register that was written last acts.
  timing::Edge last_act(timing::Edge now) const;
  // The host reads a register from `now` on until a read finds the channel idle, from edge `idle` on. Returns the edge
  // at which it knows.
  timing::Edge polled(timing::Edge now, timing::Edge idle) const;

  const contract::HostConfig host_;
  const HostTrace& trace_;
  const std::unique_ptr<StreamCore> core_;
  const std::unique_ptr<DataPath> data_;
  LayerAccount account_;

  timing::Edge now_ = 0;
  timing::Edge finished_ = -1;  // the last job
  std::int64_t bytes_read_ = 0;

 private:
  struct Pending {
    Act act;
    timing::Edge pushed;
  };
  // A tile that was reported into a half of the output buffer.
  struct Claim {
    std::int64_t tile = -1;
    timing::Edge edge = 0;
  };

  void follow(const Act& act);
  void work(timing::Edge cycles, bool prepares_dma = false);
  void transfer(const Act& act);
  timing::Edge read(const Act& act);
  void start(const Act& act);
  void wait_job();
  void wait_output();
  void interrupt(timing::Edge visible, bool output);
  void start_job();
  std::optional<timing::Edge> output_free(const Act& act, const Command& job, timing::Edge edge) const;
  void note_fetched();

  std::optional<Pending> pending_;
  std::array<Claim, 2> claims_;
  std::int64_t tiles_ = 0;
  std::vector<timing::Edge> fetched_;  // per tile
};

}  // namespace fansim::stream
