// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/replay/replayed_data_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "timing/trains/memory.h"

namespace fansim::stream {

ReplayedDataPath::Memories::Memories(const Config& config) {
  const int bytes = config.axi.beat_bytes();
  if (!takes_trains(config.ddr, config.axi)) {
    memory = timing::trains::make_memory(config.ddr, bytes, config.clock_mhz, 1);
    repeating = dynamic_cast<timing::trains::RepeatingReads*>(memory.get());
    return;
  }
  auto fixed = std::make_unique<timing::trains::FixedTrains>(config.ddr, bytes);
  trains = fixed.get();
  repeating = fixed.get();
  memory = std::move(fixed);
}

ReplayedDataPath::ReplayedDataPath(const Config& config, bool keeps_waits, TransferTable table)
    : ReplayedDataPath(config, keeps_waits, std::move(table), Memories(config)) {}

ReplayedDataPath::ReplayedDataPath(const Config& config, bool keeps_waits, TransferTable table, Memories memories)
    : DataPath(std::move(memories.memory),
               std::make_unique<ReplayedInputs>(config.dma, config.axi, *memories.memory, memories.trains),
               std::make_unique<ReplayedOutputs>(config, *memories.memory, memories.trains, std::move(table)),
               keeps_waits),
      trains_(memories.trains),
      repeating_(memories.repeating),
      inputs_(static_cast<ReplayedInputs&>(*input_)),
      outputs_(static_cast<ReplayedOutputs&>(*output_)) {}

// What follows from a tile that has left comes before whatever else is decided.
bool ReplayedDataPath::decide() {
  while (inputs_.ask()) {
  }
  const std::int64_t tiles = outputs_.tiles_sent();
  while (outputs_.ask_all())
    if (outputs_.tiles_sent() > tiles) return true;
  while (outputs_.ask()) {
  }
  return memory_->next();
}

timing::Edge ReplayedDataPath::read(timing::Edge written, std::uint32_t address, std::uint32_t bytes,
                                    const std::function<void()>& on_fetched) {
  const timing::Edge whole = read_whole(written, address, bytes, on_fetched);
  if (whole != timing::kNever) return whole;
  inputs_.start(written, address, bytes);
  const bool train = inputs_.ask_all();
  period_.forget();
  std::int64_t tiles = outputs_.tiles_sent();
  while (inputs_.active()) {
    if (!decide())
      throw std::logic_error(fmt::format("timing: port 0: the read transfer begun at edge {} cannot go on", written));
    if (!train) skip_repeats();
    if (outputs_.tiles_sent() == tiles) continue;
    tiles = outputs_.tiles_sent();
    on_fetched();
  }
  return inputs_.finished();
}

// Makes the read in one go, if it falls between two transfers of a tile, as far as these can be told, or no tile
// leaves.
timing::Edge ReplayedDataPath::read_whole(timing::Edge written, std::uint32_t address, std::uint32_t bytes,
                                          const std::function<void()>& on_fetched) {
  std::int64_t tiles = outputs_.tiles_sent();
  while (outputs_.ask_all(inputs_.arrives(written))) {
    if (outputs_.tiles_sent() == tiles) continue;
    tiles = outputs_.tiles_sent();
    on_fetched();
  }
  return inputs_.take_all(written, address, bytes, outputs_.first_decided());
}

timing::Edge ReplayedDataPath::read_quiet(timing::Edge written, std::uint32_t address, std::uint32_t bytes) {
  const timing::Edge last = inputs_.take_all(written, address, bytes, timing::kNever);
  if (last == timing::kNever) throw std::logic_error("timing: a read on a quiet bus that is not made whole");
  return last;
}

std::int64_t ReplayedDataPath::repeat(const std::vector<timing::Span>& reads, timing::Edge period, std::int64_t most) {
  const std::int64_t times = trains_->repeat_reads(reads, period, most);
  if (times > 0 && !reads.empty()) inputs_.made({reads.back().from, reads.back().to + (times - 1) * period});
  return times;
}

// A burst that leaves everything as the one before did, only later, stands for those that follow. While a tile leaves
// there are none.
void ReplayedDataPath::skip_repeats() {
  const bool alike = repeating_ != nullptr && outputs_.idle() && repeating_->repeats();
  const std::int64_t bursts = alike ? inputs_.equal_bursts() : 0;
  if (bursts < 2) return period_.forget();
  Reading reading{*repeating_, inputs_};
  if (!period_.look(reading)) return;
  const std::int64_t repeats = std::min(repeating_->repeatable(period_.edges()), bursts - 1);
  if (repeats <= 0) return;
  repeating_->grant(repeats, period_.edges());
  period_.skip(reading, repeats);
}

}  // namespace fansim::stream
