// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "arch/program.h"
#include "arch/result.h"
#include "arch/stream_config.h"
#include "timing/data_path.h"
#include "timing/layer_account.h"
#include "timing/stream_core.h"

namespace fansim::timing {

// One layer on the streaming accelerator, from its first step to its last: the host's steps one after another, and what
// core, DMA and memory do meanwhile. A layer starts on a quiescent machine, so nothing comes before it.
class StreamLayer {
 public:
  explicit StreamLayer(const arch::StreamConfig& config);

  // The steps between begin_layer and end_layer, in order.
  void step(const arch::HostOp& op);
  // Cycles, bytes and buckets.
  void finish(arch::LayerResult& result) const;
  // The one thing that outlives a layer: the gap behind the last write burst, in edges of the next.
  Edge gap_until() const { return data_.output().gap_until() - now_; }
  void wait_gap(Edge until) { data_.output().wait_gap(until); }

 private:
  enum Buffer { kInput, kWeights, kBias };
  struct Receiver {
    Buffer buffer;
    int target;
    Edge armed;
  };
  struct Transfer {
    std::uint32_t bytes;
    Edge written;
  };
  struct Pending {
    arch::Command command;
    Edge pushed;
  };
  // A tile that was reported into a half of the output buffer.
  struct Claim {
    std::int64_t tile = -1;
    Edge edge = 0;
  };

  void work(Edge cycles);
  void write_core(std::uint32_t address, std::uint32_t value, Edge acts);
  void write_dma(std::uint32_t address, std::uint32_t value, Edge acts);
  void act(const arch::Command& command, Edge edge);
  void poll();
  Edge transfer();
  void wait_job();
  void wait_output();
  void interrupt(Edge visible, bool output);
  void start_job();
  std::optional<Edge> output_free(const arch::Command& command, Edge edge) const;
  void note_fetched();

  const arch::HostConfig host_;
  StreamCore core_;
  DataPath data_;
  LayerAccount account_;

  Edge now_ = 0;
  bool preparing_dma_ = false;
  arch::RegisterImage registers_;
  std::uint32_t source_ = 0;
  std::optional<Receiver> receiver_;
  std::optional<Transfer> transfer_;
  Edge idle_ = 0;  // the last read transfer's last beat is on the stream
  std::array<std::array<Edge, 3>, 3> readable_{};
  std::optional<Pending> pending_;
  Edge finished_ = -1;  // the last job
  std::array<Claim, 2> claims_;
  std::int64_t tiles_ = 0;
  std::vector<Edge> fetched_;  // per tile
  std::int64_t bytes_read_ = 0;
};

}  // namespace fansim::timing
