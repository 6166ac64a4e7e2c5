// SPDX-License-Identifier: Apache-2.0
#include "timing/data_path.h"

#include <algorithm>
#include <stdexcept>

#include "timing/banked_memory.h"
#include "timing/fixed_memory.h"

namespace fansim::timing {

std::unique_ptr<Memory> make_memory(const arch::StreamConfig& config) {
  if (config.ddr.fidelity == arch::DdrFidelity::banked)
    return std::make_unique<BankedMemory>(config.ddr, config.axi, config.clock_mhz);
  return std::make_unique<FixedMemory>(config.ddr);
}

bool DataPath::decide() {
  Burst burst;
  while (mm2s_.next(burst)) memory_->read(burst);
  while (output_.next(burst)) memory_->write(burst);
  MemoryEvent event;
  if (!memory_->next(event)) return false;
  switch (event.kind) {
    case MemoryEvent::Kind::read_data:
      mm2s_.data(event.edge, event.beats);
      break;
    case MemoryEvent::Kind::write_data:
      memory_->written(output_.send(event.edge));
      break;
    case MemoryEvent::Kind::response:
      output_.answer(event.edge);
      break;
  }
  return true;
}

Edge DataPath::read(Edge written, std::uint32_t address, std::uint32_t bytes, const std::function<void()>& on_fetched) {
  mm2s_.start(written, address, bytes);
  before_.clear();
  std::int64_t tiles = output_.tiles_sent();
  while (mm2s_.active()) {
    if (!decide()) throw std::logic_error("timing: a read transfer that cannot go on");
    skip_repeats();
    if (output_.tiles_sent() == tiles) continue;
    tiles = output_.tiles_sent();
    on_fetched();
  }
  return mm2s_.finished();
}

// A burst that leaves everything as the one before did, only later, stands for those that follow.
void DataPath::skip_repeats() {
  const std::int64_t bursts = memory_->repeats() ? mm2s_.equal_bursts() : 0;
  if (bursts < 2) return;
  const Edge origin = memory_->origin(), period = origin - origin_before_;
  now_.clear();
  memory_->describe(now_);
  mm2s_.describe(origin, now_);
  if (now_ == before_ && period > 0) {
    const std::int64_t repeats = std::min(memory_->repeatable(period), bursts - 1);
    if (repeats > 0) {
      memory_->skip(repeats, period);
      mm2s_.skip(repeats, repeats * period);
    }
  }
  origin_before_ = memory_->origin();
  before_.swap(now_);
}

bool DataPath::send_tile() {
  const std::int64_t tiles = output_.tiles_sent();
  while (output_.tiles_sent() == tiles)
    if (!decide()) return false;
  return true;
}

}  // namespace fansim::timing
