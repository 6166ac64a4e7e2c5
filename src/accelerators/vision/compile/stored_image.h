// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "contract/program.h"
#include "network/network.h"

namespace fansim::vision {

// Describes an image in memory. It consists of rows of samples, with the channels of a pixel one after another. Each
// row is padded to a multiple of a number of samples, whatever their width.
struct StoredImage final : contract::StoredTensor {
  std::uint32_t address = 0;
  int channels = 1, height = 0, width = 0;
  int row_samples = 0;  // with the padding
  int sample_bytes = 1;
  bool is_signed = false;

  static StoredImage of(const network::Shape& shape, const network::NumberFormat& format, int row_multiple);

  std::uint32_t pitch() const { return static_cast<std::uint32_t>(row_samples * sample_bytes); }
  std::int64_t bytes() const { return std::int64_t{row_samples} * sample_bytes * height; }
  int samples() const { return width * channels; }  // per row

  std::int32_t at(const std::uint8_t* memory, int channel, int row, int column) const;
  void set(std::uint8_t* memory, int channel, int row, int column, std::int32_t value) const;
  void fill(std::uint8_t* object, const network::Tensor& tensor) const;
  std::vector<std::int32_t> values(const std::uint8_t* memory) const override;

 private:
  std::size_t offset(int channel, int row, int column) const {
    return static_cast<std::size_t>((std::int64_t{row} * row_samples + column * channels + channel) * sample_bytes);
  }
};

}  // namespace fansim::vision
