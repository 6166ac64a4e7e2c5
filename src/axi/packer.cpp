// SPDX-License-Identifier: Apache-2.0
#include "axi/packer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace fansim::axi {

void Packer::step() {
  if ((bytes_ >= beat_bytes_ || ending_) && !push()) return;
  if (bytes_ < beat_bytes_ && !ending_ && in.empty()) {
    sleep();
    return;
  }
  if (bytes_ >= beat_bytes_ || ending_ || !in.can_pop()) return;
  const Word& word = in.pop();
  if (word.bytes < 1 || word.bytes > Word::kMaxBytes) violation(fmt::format("word of {} bytes", word.bytes));
  std::memcpy(pending_.data() + bytes_, word.data.data(), word.data.size());
  bytes_ += word.bytes;
  ending_ = word.last;
  ++words_;
}

// Sends the oldest beat. Returns false if the stream is full.
bool Packer::push() {
  if (!m_axis.can_push()) {
    ++stalls_;
    return false;
  }
  StreamBeat& beat = m_axis.push();
  std::memcpy(beat.data.data(), pending_.data(), Word::kMaxBytes);
  beat.bytes = std::min(bytes_, beat_bytes_);
  bytes_ -= beat.bytes;
  beat.last = ending_ && bytes_ == 0;
  if (beat.last) ending_ = false;
  std::memmove(pending_.data(), pending_.data() + beat_bytes_, Word::kMaxBytes);
  ++beats_;
  return true;
}

}  // namespace fansim::axi
