// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "accelerators/stream/config/config.h"
#include "accelerators/stream/timing/input_path.h"
#include "accelerators/stream/timing/output_path.h"
#include "timing/memory.h"

namespace fansim::stream {

// The memory with its two users, the DMA's halves. Everything happens in the order of the memory's decisions: what a
// half pushes next follows from the decisions already made.
class DataPath {
 public:
  // `keeps_waits`: whether the waits of reads are asked for.
  explicit DataPath(const Config& config, bool keeps_waits = true);
  virtual ~DataPath() = default;

  // A whole transfer, for which LENGTH is written at `written`. Returns the edge at which its last beat is streamed.
  // `on_fetched` is called for every tile that leaves meanwhile, in time for what follows from that.
  virtual timing::Edge read(timing::Edge written, std::uint32_t address, std::uint32_t bytes,
                            const std::function<void()>& on_fetched);
  // The job's tile was reported at `edge`; it goes to `address`.
  void tile(const Command& job, std::uint32_t address, timing::Edge edge) { output_->tile(job, address, edge); }
  // Decides until one more tile has left; false: there is none.
  bool send_tile();

  OutputPath& output() { return *output_; }
  const OutputPath& output() const { return *output_; }
  const timing::ReadWaits& read_waits() const { return memory_->read_waits(0); }

 protected:
  DataPath(std::unique_ptr<timing::Memory> memory, std::unique_ptr<InputPath> input, std::unique_ptr<OutputPath> output,
           bool keeps_waits);

  // Asks for all bursts that can be asked for, then takes the memory's next decisions; false: nothing is left to
  // decide.
  virtual bool decide();

  const std::unique_ptr<timing::Memory> memory_;
  const std::unique_ptr<InputPath> input_;
  const std::unique_ptr<OutputPath> output_;
};

}  // namespace fansim::stream
