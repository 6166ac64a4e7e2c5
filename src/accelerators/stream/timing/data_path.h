// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "accelerators/stream/config/config.h"
#include "accelerators/stream/timing/mm2s.h"
#include "accelerators/stream/timing/output_path.h"
#include "timing/memory.h"
#include "timing/trains/memory.h"

namespace fansim::stream {

// The memory with its two users, the DMA's halves. Everything happens in the order of the memory's decisions; what a
// half pushes next follows from those already taken.
class DataPath {
 public:
  // `keeps_waits`: whether those of reads are asked for.
  // `known`: what has been seen of transfers of tiles through such a port and memory.
  explicit DataPath(const Config& config, bool keeps_waits = true, KnownTransfers known = {})
      : memory_(timing::trains::make_memory(config.ddr, config.axi.beat_bytes(), config.clock_mhz, 1)),
        mm2s_(config.dma, config.axi, *memory_),
        output_(config, *memory_, std::move(known)) {
    if (!keeps_waits) memory_->keep_read_waits(timing::ReadWaits::Kept::none);
  }

  // A whole transfer; returns the edge at which its last beat is streamed. `on_fetched` is told of tiles that have left
  // meanwhile, in time for what follows from them.
  timing::Edge read(timing::Edge written, std::uint32_t address, std::uint32_t bytes,
                    const std::function<void()>& on_fetched);
  // No tile leaves, and a read by itself takes always the same.
  bool at_rest() const { return output_.idle() && mm2s_.regular(); }
  // Of a read by itself that LENGTH asks for at `written`: when it is on the bus, if no refresh is; then the edge at
  // which its last beat is streamed.
  timing::Span alone(timing::Edge written, std::uint32_t address, std::uint32_t bytes) const {
    return mm2s_.alone(written, address, bytes);
  }
  timing::Edge streamed(const timing::Span& bus, std::uint32_t address, std::uint32_t bytes) const {
    return mm2s_.streamed(bus, address, bytes);
  }
  // Such a read at rest; the edge at which its last beat is streamed.
  timing::Edge read_at_rest(timing::Edge written, std::uint32_t address, std::uint32_t bytes) {
    const timing::Edge last = mm2s_.take_all(written, address, bytes, timing::kNever);
    if (last == timing::kNever) throw std::logic_error("timing: a read at rest that is not taken whole");
    return last;
  }
  // Such reads at rest, and again every `period` edges, as often as no refresh meets one of them, `most` at most.
  std::int64_t repeat(const std::vector<timing::Span>& reads, timing::Edge period, std::int64_t most);
  void tile(const Command& job, std::uint32_t address, timing::Edge edge) { output_.tile(job, address, edge); }
  // Until one more tile has left; false: there is none.
  bool send_tile();

  const OutputPath& output() const { return output_; }
  OutputPath& output() { return output_; }
  const timing::ReadWaits& read_waits() const { return memory_->read_waits(0); }

 private:
  bool decide();
  timing::Edge read_whole(timing::Edge written, std::uint32_t address, std::uint32_t bytes,
                          const std::function<void()>& on_fetched);
  void skip_repeats();

  std::unique_ptr<timing::Memory> memory_;
  Mm2s mm2s_;
  OutputPath output_;
  // After the last read burst, and the one before.
  std::vector<timing::Edge> now_, before_;
  timing::Edge origin_before_ = 0;
};

}  // namespace fansim::stream
