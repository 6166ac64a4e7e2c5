// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/result_packer.h"

#include <algorithm>
#include <cstring>

namespace fansim::vision {

ResultPacker::ResultPacker(const sc_core::sc_module_name& name, const Config& config)
    : Module(name),
      samples_(config.pixels.samples),
      beat_bytes_(config.axi.beat_bytes()),
      results_(config.pixels.fifo_beats),
      bytes_(static_cast<std::size_t>(3 * config.axi.beat_bytes())) {}

void ResultPacker::step() {
  if (start.can_pop()) {
    job_ = start.pop().job;
    begin();
  }
  if (send() && !results_.empty()) {
    take(results_.front());
    results_.pop();
    taken_.set(taken_.next() + 1);
    if (--left_ == 0) jobs_done_.set(jobs_done_.next() + 1);
  }
  if (in.can_pop()) {
    if (results_.full()) violation("more results than there is room for");
    results_.push(in.pop());
  } else if (in.empty() && start.empty() && results_.empty() && !complete()) {
    sleep();
  }
}

void ResultPacker::begin() {
  row_steps_ = static_cast<int>(job_->row_bytes) / (samples_ * job_->sample_bytes);
  left_ = std::int64_t{row_steps_} * job_->rows;
  row_ = step_ = held_ = 0;
  row_ended_ = false;
  row_left_ = job_->result_row_bytes;
  rows_left_ = job_->result_rows;
}

// Returns true if results can be taken, because no complete beat is waiting.
bool ResultPacker::send() {
  if (!complete()) return true;
  if (!out.can_push()) {
    ++stalls_;
    return false;
  }
  axi::StreamBeat& beat = out.push();
  std::copy_n(bytes_.data(), beat_bytes_, beat.data.data());
  beat.bytes = beat_bytes_;
  row_left_ -= static_cast<std::uint32_t>(beat_bytes_);
  beat.last = row_left_ == 0 && rows_left_ == 1;
  ++beats_;
  std::copy(bytes_.begin() + beat_bytes_, bytes_.end(), bytes_.begin());
  std::fill(bytes_.end() - beat_bytes_, bytes_.end(), 0);
  held_ = std::max(0, held_ - beat_bytes_);
  if (row_left_ == 0) {
    row_ended_ = false;
    row_left_ = job_->result_row_bytes;
    --rows_left_;
  }
  return !complete();
}

void ResultPacker::take(const PixelBeat& beat) {
  const int first = step_ * samples_;
  const Region& crop = job_->crop;
  if (row_ >= crop.top && row_ < crop.bottom) {
    const int from = std::max(first, crop.left), to = std::min(first + samples_, crop.right);
    const bool two_results = job_->results == 2, two_bytes = job_->result_bytes == 2;
    std::uint8_t* byte = bytes_.data() + held_;
    const auto put = [&](std::int32_t value) {
      *byte++ = static_cast<std::uint8_t>(value);
      if (two_bytes) *byte++ = static_cast<std::uint8_t>(value >> 8);
    };
    for (int sample = from; sample < to; ++sample) {
      const auto lane = static_cast<std::size_t>(sample - first);
      put(beat.samples[lane]);
      if (two_results) put(beat.second[lane]);
    }
    held_ = static_cast<int>(byte - bytes_.data());
    if (to > from) written_ += static_cast<std::int64_t>(to - from) * job_->results;
    if (first < crop.right && first + samples_ >= crop.right) row_ended_ = true;
  }
  if (++step_ == row_steps_) {
    step_ = 0;
    ++row_;
  }
}

}  // namespace fansim::vision
