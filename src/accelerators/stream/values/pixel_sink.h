// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "accelerators/stream/config/command.h"
#include "accelerators/stream/config/config.h"
#include "accelerators/stream/config/pool_axis.h"
#include "contract/memory_image.h"
#include "kernels/requantise_row.h"

namespace fansim::stream {

// Converts sums to pixels in memory, as quantiser, pooling, output store and writer do. It takes a row of one
// output-channel group at a time.
class PixelSink {
 public:
  PixelSink(const Config& config, contract::MemoryImage& memory);

  void write(const TableWrite& entries) { entries.apply(table_); }
  void begin_job(const Command& job);
  // Takes row `row` of the job: the sums of each window, sum_step apart. `bias` points to the job's bias records.
  void row(const Command& job, int row, int group, const std::int32_t* sums, int sum_step, const std::uint8_t* bias);
  // Returns what saturated in the rows taken since the last call.
  arith::Saturation take_saturation() { return std::exchange(saturation_, {}); }
  // Stores a finished pixel.
  void store(const Command& job, int row, int group, int x, const std::uint8_t* pixel);

 private:
  struct Scale {
    int scale, shift;
  };
  void quantise(const Command& job, int group, const std::int32_t* sums, int sum_step, const std::uint8_t* bias);
  Scale scale_of(const Command& job, const std::uint8_t* bias, int channel) const;
  void requantise_wide(const kernels::RequantiseRow& row);
  template <class T>
  static void keep_larger(bool is_unsigned, const std::uint8_t* from, std::uint8_t* to, int bytes);
  void pool(const Command& job, int row, int group);
  void store_row(const Command& job, int row, int group, int windows, const std::uint8_t* pixels);
  std::uint8_t* line(const Command& job, int pooled_row, int group);

  const int channels_;
  const int bits_, value_bytes_;  // of an output
  const int word_bytes_, pixel_bytes_;
  const arith::QuantiserFormat format_;
  contract::MemoryImage& memory_;
  arith::Saturation saturation_;
  CodeTable table_{};
  int first_pooled_row_ = 0;
  std::vector<std::uint8_t> pixels_;  // pixels of the row
  std::vector<std::uint8_t> lines_;   // maxima down the rows: [pooled row modulo kernel][group][column][channel]
  std::vector<std::uint8_t> pooled_;  // maxima along the rows as well
};

}  // namespace fansim::stream
