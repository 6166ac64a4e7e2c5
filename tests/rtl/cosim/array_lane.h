// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

#include "accelerators/stream/hardware/mac_array.h"
#include "cosim/array.h"
#include "cosim/lane.h"
#include "cosim/payload.h"

namespace fansim::cosim {

// Drives what enters the MAC array: passes of random windows and their weight sets. Many of the weights and activations
// are ends of their ranges.
template <class Model>
class ArrayLane : public Lane<Model> {
 public:
  ArrayLane(const std::string& name, const Parameters& p, int faults)
      : Lane<Model>(name, p, faults),
        array(array_of(p)),
        windows((name + "_windows").c_str()),
        weights((name + "_weights").c_str()),
        block(name.c_str(), array) {
    block.windows(windows);
    block.weights(weights);
    const int taps = array.window_values();
    const int column = array.weight_column_bytes();
    this->input(
        COSIM_INPUT(windows),
        [=](Model& m, const stream::Window& item, const auto& field) {
          tag_fields(m.windows_tag, item.tag, field);
          for (int i = 0; i < taps; ++i)
            field("taps", i, m.windows_taps, 8 * i, 8,
                  static_cast<std::uint64_t>(item.taps[static_cast<std::size_t>(i)]));
        },
        windows_left_, [=](stream::Window& item) { make(item); });
    this->input(
        COSIM_INPUT(weights),
        [=](Model& m, const stream::WeightColumn& item, const auto& field) {
          for (int i = 0; i < column; ++i)
            field("bytes", i, m.weights_bytes, 8 * i, 8, item.bytes[static_cast<std::size_t>(i)]);
        },
        columns_left_,
        [=](stream::WeightColumn& item) {
          for (int i = 0; i < column; ++i)
            item.bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(std::max(byte(true), lowest_weight_));
        });
  }

 protected:
  const stream::ArrayConfig array;
  sim::Stream<stream::Window> windows;
  sim::Stream<stream::WeightColumn> weights;
  stream::MacArray block;
  stream::Command job;

  void next_phase() override {
    job.input_unsigned = array.sums_exactly(true) ? this->random.uniform(0, 1) : 0;
    longest_ = this->random.uniform(1, 12);
    sets_left_ = this->random.uniform(5, 40);
    columns_left_ = sets_left_ * array.cols;
    windows_left_ = sets_left_ * longest_;  // at most; the last pass says how many
    pass_left_ = 0;
  }
  void drive_levels(Model& m) override { m.job_input_unsigned = job.input_unsigned != 0; }

 private:
  int byte(bool is_signed) {
    const int low = is_signed ? -128 : 0;
    const int draw = this->random.uniform(0, 319);
    return draw < 256 ? low + draw : draw < 288 ? low : low + 255;
  }

  void make(stream::Window& item) {
    item.tag = random_tag(job, this->random);
    item.tag.new_weights = pass_left_ == 0;
    if (pass_left_ == 0) pass_left_ = this->random.uniform(1, longest_);
    // The last pass takes what is left.
    --pass_left_;
    if (item.tag.new_weights) --sets_left_;
    if (sets_left_ == 0 && item.tag.new_weights) windows_left_ = pass_left_;
    for (int i = 0; i < array.window_values(); ++i)
      item.taps[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(byte(!job.input_unsigned));
  }

  const int lowest_weight_ = array.sums_exactly(false) ? -128 : -127;
  int windows_left_ = 0, columns_left_ = 0;
  int sets_left_ = 0, longest_ = 1, pass_left_ = 0;
};

}  // namespace fansim::cosim
