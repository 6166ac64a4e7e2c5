// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "arch/stream_config.h"
#include "timing/memory.h"
#include "timing/mm2s.h"
#include "timing/output_path.h"

namespace fansim::timing {

// The memory with its two users, the DMA's halves. Everything happens in the order of the memory's decisions; what a
// half pushes next follows from those already taken.
class DataPath {
 public:
  explicit DataPath(const arch::StreamConfig& config)
      : memory_(make_memory(config)), mm2s_(config.dma, config.axi), output_(config) {}

  // A whole transfer; returns the edge at which its last beat is streamed. `on_fetched` is told of tiles that have left
  // meanwhile, in time for what follows from them.
  Edge read(Edge written, std::uint32_t address, std::uint32_t bytes, const std::function<void()>& on_fetched);
  void tile(const arch::Command& job, Edge edge) { output_.tile(job, edge); }
  // Until one more tile has left; false: there is none.
  bool send_tile();

  const OutputPath& output() const { return output_; }
  OutputPath& output() { return output_; }
  const ReadWaits& read_waits() const { return memory_->read_waits(); }

 private:
  bool decide();
  void skip_repeats();

  std::unique_ptr<Memory> memory_;
  Mm2s mm2s_;
  OutputPath output_;
  // After the last read burst, and the one before.
  std::vector<Edge> now_, before_;
  Edge origin_before_ = 0;
};

}  // namespace fansim::timing
