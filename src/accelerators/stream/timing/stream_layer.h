// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "accelerators/stream/config/config.h"
#include "accelerators/stream/script/script.h"
#include "accelerators/stream/timing/data_path.h"
#include "accelerators/stream/timing/known.h"
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
  // `buckets`: whether they are asked for. `known`: what layers have seen of which the same was asked. The script
  // outlives it.
  StreamLayer(const Config& config, const Script& script, bool buckets, Known known = {});

  // All of the layer.
  void follow(const contract::Pulse& pulse);
  // Cycles, bytes and, if they are asked for, buckets.
  void finish(contract::LayerResult& result) const;
  // The one thing that outlives a layer: the gap behind the last write burst, in edges of the next.
  timing::Edge gap_until() const { return data_.output().gap_until() - now_; }
  void wait_gap(timing::Edge until) { data_.output().wait_gap(until); }
  // The last thing that it is asked for.
  Known take_known() { return {core_.take_known(), data_.output().take_known()}; }

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

  // A round on a machine at rest.
  struct Rest {
    const KnownJob* known = nullptr;
    const Command* job = nullptr;
    timing::Edge start = 0, end = 0;  // of the job, and of the round
    std::int64_t bytes = 0;
  };

  void follow(const Act& act);
  void work(timing::Edge cycles, bool prepares_dma = false);
  timing::Edge last_act(timing::Edge now) const;
  timing::Edge polled(timing::Edge now, timing::Edge idle) const;
  void transfer(const Act& act);
  timing::Edge read(const Act& act);
  void start(const Act& act);
  void wait_job();
  void wait_output();
  void interrupt(timing::Edge visible, bool output);
  void start_job();
  std::optional<timing::Edge> output_free(const Act& act, const Command& job, timing::Edge edge) const;
  void note_fetched();
  template <class Read>
  std::optional<Rest> at_rest(const Act* acts, const Round& round, std::uint32_t time, Read&& read) const;
  std::uint32_t repeat(const Act* acts, const Round& round, std::uint32_t time);
  void take(const Rest& round, timing::Edge by, std::int64_t times);

  const contract::HostConfig host_;
  const Script& script_;
  StreamCore core_;
  DataPath data_;
  LayerAccount account_;

  timing::Edge now_ = 0;
  std::vector<const KnownJob*> known_;  // by command: what is known of it, once it was met
  std::vector<timing::Span> reads_;     // of a round: on the bus
  std::optional<Pending> pending_;
  timing::Edge finished_ = -1;  // the last job
  std::array<Claim, 2> claims_;
  std::int64_t tiles_ = 0;
  std::vector<timing::Edge> fetched_;  // per tile
  std::int64_t bytes_read_ = 0;
};

}  // namespace fansim::stream
