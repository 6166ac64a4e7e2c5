// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/data_path.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace fansim::stream {

DataPath::DataPath(std::unique_ptr<timing::Memory> memory, std::unique_ptr<InputPath> input,
                   std::unique_ptr<OutputPath> output, bool keeps_waits)
    : memory_(std::move(memory)), input_(std::move(input)), output_(std::move(output)) {
  if (!keeps_waits) memory_->keep_read_waits(timing::ReadWaits::Kept::none);
}

DataPath::DataPath(const Config& config, bool keeps_waits)
    : memory_(timing::make_memory(config.ddr, config.axi.beat_bytes(), config.clock_mhz, 1)),
      input_(std::make_unique<InputPath>(config.dma, config.axi, *memory_)),
      output_(std::make_unique<OutputPath>(config, *memory_)) {
  if (!keeps_waits) memory_->keep_read_waits(timing::ReadWaits::Kept::none);
}

bool DataPath::decide() {
  while (input_->ask()) {
  }
  while (output_->ask()) {
  }
  return memory_->next();
}

timing::Edge DataPath::read(timing::Edge written, std::uint32_t address, std::uint32_t bytes,
                            const std::function<void()>& on_fetched) {
  input_->start(written, address, bytes);
  while (input_->active()) {
    const std::int64_t tiles = output_->tiles_sent();
    if (!decide())
      throw std::logic_error(fmt::format("timing: port 0: the read transfer begun at edge {} cannot go on", written));
    if (output_->tiles_sent() > tiles) on_fetched();
  }
  return input_->finished();
}

bool DataPath::send_tile() {
  const std::int64_t tiles = output_->tiles_sent();
  while (output_->tiles_sent() == tiles)
    if (!decide()) return false;
  return true;
}

}  // namespace fansim::stream
