// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/hardware/storer.h"

#include <fmt/format.h>

#include <cstring>

#include "accelerators/trainer/config/transfers.h"

namespace fansim::trainer {

void Storer::step() {
  if (!busy_) {
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
    busy_ = false;
    ended_.set(ended_.next() + 1);
    return;
  }
  const bool complete = held_ == config_.axi.beat_bytes() || (held_ > 0 && left_ == 0);
  if (complete) {
    if (!data.can_push()) {
      ++stalls_;
      return;
    }
    axi::StreamBeat& beat = data.push();
    beat.data = beat_;
    beat.bytes = config_.axi.beat_bytes();
    beat.last = left_ == 0;
    beat_ = {};
    held_ = 0;
  }
  if (left_ > 0 && now() >= first_) take();
}

void Storer::begin() {
  const contract::RowTransfers rows = store_transfer(*phase_.job, config_.axi);
  command.push({rows.address, rows.row_bytes, true, false});
  bytes_ += rows.row_bytes;
  left_ = stored_values(*phase_.job);
  at_ = 0;
  first_ = now() + kReadLatency + 1;
  beat_ = {};
  held_ = 0;
  busy_ = true;
}

void Storer::take() {
  const Job& job = *phase_.job;
  const bool weights = job.command == Command::store_weights;
  std::size_t layer = 0;
  if (weights)
    while (at_ >= phase_.layout->weights[layer] + job.layer(layer).weights()) ++layer;
  const arith::FloatFormat from =
      weights ? block_of(config_, job, layer).weights : value_format(config_, job, job.layers);
  const std::uint64_t word =
      weights ? chip_.weights.read(now(), at_) : chip_.activations.read(now(), phase_.layout->tensor[job.layers] + at_);
  arith::FloatEvents none;  // single precision can represent every number, so there are none
  const auto single = static_cast<std::uint32_t>(arith::FloatArithmetic(arith::kSingle).convert(word, from, none));
  std::memcpy(beat_.data() + held_, &single, sizeof single);
  held_ += kWordBytes;
  ++at_;
  --left_;
  ++words_;
}

}  // namespace fansim::trainer
