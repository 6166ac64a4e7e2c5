// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/data_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace fansim::stream {

// What follows from a tile that has left comes before whatever else is decided.
bool DataPath::decide() {
  while (mm2s_.ask()) {
  }
  const std::int64_t tiles = output_.tiles_sent();
  while (output_.ask_all())
    if (output_.tiles_sent() > tiles) return true;
  while (output_.ask()) {
  }
  return memory_->next();
}

timing::Edge DataPath::read(timing::Edge written, std::uint32_t address, std::uint32_t bytes,
                            const std::function<void()>& on_fetched) {
  const timing::Edge whole = read_whole(written, address, bytes, on_fetched);
  if (whole != timing::kNever) return whole;
  mm2s_.start(written, address, bytes);
  const bool train = mm2s_.ask_all();
  before_.clear();
  std::int64_t tiles = output_.tiles_sent();
  while (mm2s_.active()) {
    if (!decide())
      throw std::logic_error(fmt::format("timing: port 0: the read transfer begun at edge {} cannot go on", written));
    if (!train) skip_repeats();
    if (output_.tiles_sent() == tiles) continue;
    tiles = output_.tiles_sent();
    on_fetched();
  }
  return mm2s_.finished();
}

// The same in one go, if it falls between two transfers of a tile, as far as these are known, or no tile leaves.
timing::Edge DataPath::read_whole(timing::Edge written, std::uint32_t address, std::uint32_t bytes,
                                  const std::function<void()>& on_fetched) {
  std::int64_t tiles = output_.tiles_sent();
  while (output_.ask_all(mm2s_.arrives(written))) {
    if (output_.tiles_sent() == tiles) continue;
    tiles = output_.tiles_sent();
    on_fetched();
  }
  return mm2s_.take_all(written, address, bytes, output_.first_decided());
}

std::int64_t DataPath::repeat(const std::vector<timing::Span>& reads, timing::Edge period, std::int64_t most) {
  const std::int64_t times = memory_->repeat_reads(reads, period, most);
  if (times > 0 && !reads.empty()) mm2s_.made({reads.back().from, reads.back().to + (times - 1) * period});
  return times;
}

// A burst that leaves everything as the one before did, only later, stands for those that follow. While a tile leaves
// there are none.
void DataPath::skip_repeats() {
  const std::int64_t bursts = output_.idle() && memory_->repeats() ? mm2s_.equal_bursts() : 0;
  if (bursts < 2) return before_.clear();
  const timing::Edge origin = memory_->origin(), period = origin - origin_before_;
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

}  // namespace fansim::stream
