// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/recurrent_cell.h"

#include <algorithm>

#include "arith/activation.h"
#include "arith/fixed.h"

namespace fansim::stream {

namespace {
constexpr std::size_t kMargin = 4096;  // bytes of zeros the line buffers may read beyond the last hidden unit
}

RecurrentCell::RecurrentCell(const sc_core::sc_module_name& name, const ArrayConfig& config, bool values)
    : sim::Module(name),
      channels_(config.output_channels),
      values_(values),
      pipeline_(config.cell_latency()),
      c_(kUnits),
      h_{std::vector<std::uint8_t>(kUnits), std::vector<std::uint8_t>(kUnits)} {}

const std::uint8_t* RecurrentCell::read(int target, int offset, int bytes) {
  std::vector<std::uint8_t>& h = target == kZeroState ? zeros_ : h_[last_];
  const auto end = static_cast<std::size_t>(offset + bytes);
  if (h.size() < end) h.resize(end + kMargin);
  return h.data() + offset;
}

void RecurrentCell::step() {
  if (pipeline_.empty() && lane_ < 0 && collected_ < 4 && gates.empty()) {
    sleep();
    return;
  }
  if (pipeline_.out_valid() && !retire()) {
    ++stalls_;
    return;
  }
  pipeline_.advance();
  issue();
  collect();
}

bool RecurrentCell::retire() {
  const Unit& unit = pipeline_.out();
  const bool whole = unit.lane + 1 == channels_;
  if (whole && !out.can_push()) return false;
  pixel_.bytes[static_cast<std::size_t>(unit.lane)] = static_cast<std::uint8_t>(unit.h);
  if (!whole) return true;
  const int block = unit.tag.group / 4;
  std::vector<std::uint8_t>& next = h_[1 - last_];
  const auto at = static_cast<std::size_t>(block * channels_);
  if (next.size() < at + static_cast<std::size_t>(channels_)) next.resize(at + static_cast<std::size_t>(channels_));
  std::copy_n(pixel_.bytes.data(), channels_, next.data() + at);
  pixel_.tag = unit.tag;
  pixel_.tag.group = block;
  out.push(pixel_);
  if (4 * (block + 1) == unit.tag.job->groups) {
    last_ = 1 - last_;
    steps_done_.set(steps_done_.next() + 1);
  }
  return true;
}

void RecurrentCell::issue() {
  if (lane_ < 0) {
    if (collected_ < 4) return;
    working_ = collecting_;
    collected_ = 0;
    lane_ = 0;
  }
  const Tag& tag = working_[0].tag;
  Unit& unit = pipeline_.enter();
  unit.tag = tag;
  unit.lane = lane_;
  if (values_) unit.h = update(tag.group / 4 * channels_ + lane_, lane_, tag.job->add_bias && tag.row == 0);
  ++units_;
  if (++lane_ == channels_) lane_ = -1;
}

void RecurrentCell::collect() {
  if (collected_ == 4 || !gates.can_pop()) return;
  collecting_[static_cast<std::size_t>(collected_++)] = gates.pop();
}

// `fresh` says that this is the first step of a sequence, where c and h are zero.
int RecurrentCell::update(int unit, int lane, bool fresh) {
  const auto at = static_cast<std::size_t>(unit);
  const auto l = static_cast<std::size_t>(lane);
  if (working_[0].tag.job->gru) {
    const int r = working_[0].values[l], z = working_[1].values[l], nx = working_[2].values[l],
              nh = working_[3].values[l];
    const int n =
        arith::tanh_q15(static_cast<int>(arith::saturate(nx + arith::round_shift(std::int64_t{r} * nh, 15), 16)));
    const int before = fresh || h_[last_].size() <= at ? 0 : static_cast<std::int8_t>(h_[last_][at]);
    const std::int64_t mixed = std::int64_t{32768 - z} * n + std::int64_t{z} * (before * 256);
    return static_cast<int>(arith::saturate(arith::round_shift(mixed, 23), 8));
  }
  if (c_.size() <= at) c_.resize(at + 1);
  const std::int64_t i = working_[0].values[l], f = working_[1].values[l], g = working_[2].values[l],
                     o = working_[3].values[l];
  const std::int64_t before = fresh ? 0 : c_[at];
  const std::int64_t c = arith::saturate(arith::round_shift(f * before + ((i * g) >> 3), 15), 16);
  c_[at] = static_cast<std::int16_t>(c);
  const Command& job = *working_[0].tag.job;
  const std::int64_t scaled = o * arith::tanh_q15(static_cast<int>(c)) * (job.hidden_scale + 1);
  return static_cast<int>(arith::saturate(arith::round_shift(scaled, 23 + job.hidden_shift), 8));
}

}  // namespace fansim::stream
