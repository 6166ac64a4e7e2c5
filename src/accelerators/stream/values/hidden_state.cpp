// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/values/hidden_state.h"

#include <algorithm>

#include "arith/activation.h"
#include "arith/fixed.h"

namespace fansim::stream {

HiddenState::HiddenState(const Config& config) : channels_(config.array.output_channels), format_(config.quantiser) {
  for (std::vector<int>& gate : gates_) gate.resize(static_cast<std::size_t>(channels_));
  pixel_.resize(static_cast<std::size_t>(channels_));
}

const std::uint8_t* HiddenState::raised(bool zeros, std::size_t bytes) {
  raised_.assign(std::max(bytes, h_.size()), 0x80);
  if (!zeros)
    std::transform(h_.begin(), h_.end(), raised_.begin(),
                   [](std::int8_t h) { return static_cast<std::uint8_t>(h + 128); });
  return raised_.data();
}

// The gates come in the order i, f, g, o or r, z, nx, nh. The halves of a GRU's candidate bypass the table.
bool HiddenState::gate(const Command& job, int group, const std::int32_t* sums, bool fresh) {
  const int gate = group % 4;
  for (int o = 0; o < channels_; ++o) {
    const int pre = arith::requantise16(sums[o], job.scale, job.shift, format_);
    arith::count(sums[o], {job.scale, job.shift, 0, false, 16}, format_, false, saturation_);
    const bool tanh = !job.gru && gate == 2, pass = job.gru && gate >= 2;
    gates_[static_cast<std::size_t>(gate)][static_cast<std::size_t>(o)] =
        pass ? pre : static_cast<int>(tanh ? arith::tanh_q15(pre) : arith::sigmoid_q15(pre));
  }
  if (gate < 3) return false;
  update(job, group / 4, fresh);
  if (group + 1 == job.groups) h_ = next_;
  return true;
}

void HiddenState::update(const Command& job, int block, bool fresh) {
  const auto end = static_cast<std::size_t>((block + 1) * channels_);
  if (c_.size() < end) c_.resize(end);
  if (h_.size() < end) h_.resize(end);
  if (next_.size() < end) next_.resize(end);
  for (int o = 0; o < channels_; ++o) {
    const auto l = static_cast<std::size_t>(o), at = static_cast<std::size_t>(block * channels_ + o);
    const std::int64_t a = gates_[0][l], b = gates_[1][l], g = gates_[2][l], d = gates_[3][l];
    std::int64_t h;
    if (job.gru) {
      const int n = arith::tanh_q15(static_cast<int>(arith::saturate(g + arith::round_shift(a * d, 15), 16)));
      const std::int64_t before = fresh ? 0 : h_[at];
      h = arith::round_shift((32768 - b) * n + b * (before * 256), 23);
    } else {
      const std::int64_t before = fresh ? 0 : c_[at];
      c_[at] = static_cast<std::int16_t>(arith::saturate(arith::round_shift(b * before + ((a * g) >> 3), 15), 16));
      h = arith::round_shift(d * arith::tanh_q15(c_[at]) * (job.hidden_scale + 1), 23 + job.hidden_shift);
    }
    next_[at] = static_cast<std::int8_t>(arith::saturate(h, 8));
    pixel_[l] = static_cast<std::uint8_t>(next_[at]);
  }
}

}  // namespace fansim::stream
