// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/hardware/loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "accelerators/trainer/config/transfers.h"

namespace fansim::trainer {

void Loader::step() {
  if (!moving_ && left_ == 0) {
    if (start.empty()) {
      sleep();
      return;
    }
    if (!start.can_pop()) return;
    phase_ = start.pop();
    begin();
    return;
  }
  if (done.can_pop()) {
    if (done.front().errors != 0) violation(fmt::format("transfer ended with DMASR {:#x}", done.front().errors));
    done.pop();
    moving_ = false;
  }
  if (held_ > 0) write();
  if (held_ == 0 && left_ > 0 && data.can_pop()) {
    const axi::StreamBeat& beat = data.pop();
    beat_ = beat.data;
    held_ = static_cast<int>(std::min<std::int64_t>(left_, config_.axi.beat_bytes() / value_bytes_));
    next_ = 0;
  }
  if (!moving_ && left_ == 0) ended_.set(ended_.next() + 1);
}

void Loader::begin() {
  const contract::RowTransfers rows = load_transfer(*phase_.job, config_.axi);
  command.push({rows.address, rows.row_bytes, true, false});
  bytes_ += rows.row_bytes;
  left_ = loaded_values(*phase_.job);
  at_ = 0;
  value_bytes_ = loaded_value_bytes(*phase_.job);
  moving_ = true;
}

void Loader::write() {
  const std::uint8_t* bytes = beat_.data() + next_;
  if (value_bytes_ == 1) {
    const arith::FloatArithmetic unit(value_format(config_, *phase_.job, 0), config_.arithmetic.rounding);
    chip_.activations.write(now(), phase_.layout->tensor[0] + at_,
                            static_cast<std::uint32_t>(unit.from_double(bytes[0] * kPixelUnit, events_)));
  } else {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    std::size_t layer = 0;
    while (at_ >= phase_.layout->weights[layer] + phase_.job->layer(layer).weights()) ++layer;
    const arith::FloatArithmetic unit(block_of(config_, *phase_.job, layer).weights, config_.arithmetic.rounding);
    chip_.weights.write(now(), at_, static_cast<std::uint32_t>(unit.convert(word, arith::kSingle, events_)));
  }
  next_ += value_bytes_;
  ++at_;
  --left_;
  --held_;
  ++values_;
}

}  // namespace fansim::trainer
