// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "accelerators/stream/config/command.h"
#include "accelerators/stream/config/config.h"
#include "arith/saturation.h"

namespace fansim::stream {

// Computes the values of the recurrent cell: h of the last step, c, and the gates of a group of hidden units as they
// arrive.
class HiddenState {
 public:
  explicit HiddenState(const Config& config);

  // Returns the state of the last complete step, or zeros, with 128 added to each byte; `bytes` bytes may be read.
  const std::uint8_t* raised(bool zeros, std::size_t bytes);

  // Takes group `group` of the step's sums. Returns true when it completes a group of hidden units, whose h is then
  // pixel().
  bool gate(const Command& job, int group, const std::int32_t* sums, bool fresh);
  // Returns what saturated in the sums taken since the last call.
  arith::Saturation take_saturation() { return std::exchange(saturation_, {}); }
  const std::uint8_t* pixel() const { return pixel_.data(); }

 private:
  void update(const Command& job, int block, bool fresh);

  const int channels_;
  const arith::QuantiserFormat format_;
  std::array<std::vector<int>, 4> gates_;
  std::vector<std::int16_t> c_;
  std::vector<std::int8_t> h_, next_;
  std::vector<std::uint8_t> raised_;
  std::vector<std::uint8_t> pixel_;
  arith::Saturation saturation_;
};

}  // namespace fansim::stream
