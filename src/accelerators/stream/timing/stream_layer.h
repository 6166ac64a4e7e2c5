// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "accelerators/stream/config/config.h"
#include "accelerators/stream/timing/data_path.h"
#include "accelerators/stream/timing/layer_account.h"
#include "accelerators/stream/timing/stream_core.h"
#include "contract/host_steps.h"
#include "contract/result.h"

namespace fansim::stream {

// One layer on the streaming accelerator, from its first step to its last: the host's steps one after another, and what
// core, DMA and memory do meanwhile. A layer starts on a quiescent machine, so nothing comes before it.
class StreamLayer : public contract::HostFollower {
 public:
  // `buckets`: whether they are asked for. `known`: what has been seen of jobs on such an array, as far as they are.
  StreamLayer(const Config& config, bool buckets, KnownJobs known = {});

  // The host's steps of the layer, in order.
  void software(std::uint32_t cycles, bool prepares_dma);
  void write_core(std::uint32_t address, std::uint32_t value);
  void write_dma(std::uint32_t address, std::uint32_t value);
  void poll_mm2s();
  void wait_job();
  void wait_output();
  // Cycles, bytes and, if they are asked for, buckets.
  void finish(contract::LayerResult& result) const;
  // The one thing that outlives a layer: the gap behind the last write burst, in edges of the next.
  timing::Edge gap_until() const { return data_.output().gap_until() - now_; }
  void wait_gap(timing::Edge until) { data_.output().wait_gap(until); }
  // The last thing that it is asked for.
  KnownJobs take_known() { return core_.take_known(); }

 private:
  enum Buffer { kInput, kWeights, kBias };
  struct Receiver {
    Buffer buffer;
    int target;
    timing::Edge armed;
  };
  struct Transfer {
    std::uint32_t bytes;
    timing::Edge written;
  };
  struct Pending {
    Command command;
    timing::Edge pushed;
  };
  // A tile that was reported into a half of the output buffer.
  struct Claim {
    std::int64_t tile = -1;
    timing::Edge edge = 0;
  };

  void work(timing::Edge cycles);
  void act(const Command& command, timing::Edge edge);
  timing::Edge transfer();
  void interrupt(timing::Edge visible, bool output);
  void start_job();
  std::optional<timing::Edge> output_free(const Command& command, timing::Edge edge) const;
  void note_fetched();

  const contract::HostConfig host_;
  StreamCore core_;
  DataPath data_;
  LayerAccount account_;

  timing::Edge now_ = 0;
  bool preparing_dma_ = false;
  WrittenCommand command_;
  std::uint32_t source_ = 0;
  std::optional<Receiver> receiver_;
  std::optional<Transfer> transfer_;
  timing::Edge idle_ = 0;  // the last read transfer's last beat is on the stream
  std::array<std::array<timing::Edge, 3>, 3> readable_{};
  std::optional<Pending> pending_;
  timing::Edge finished_ = -1;  // the last job
  std::array<Claim, 2> claims_;
  std::int64_t tiles_ = 0;
  std::vector<timing::Edge> fetched_;  // per tile
  std::int64_t bytes_read_ = 0;
};

}  // namespace fansim::stream
