// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "openvx/stage.h"

namespace fansim::openvx {

// The type of an image: U8, S16 or, for 12- and 16-bit cameras, U16.
struct ImageType {
  int width = 0, height = 0, channels = 1;
  base::DataType type = base::DataType::uint8;
};

// An image with its pixels, channel by channel, row by row.
struct Image {
  ImageType of;
  std::vector<std::int32_t> values;

  Image() = default;
  explicit Image(const ImageType& image)
      : of(image),
        values(static_cast<std::size_t>(image.channels) * static_cast<std::size_t>(image.height) *
               static_cast<std::size_t>(image.width)) {}
  std::int32_t& at(int channel, int y, int x) { return values[index(channel, y, x)]; }
  std::int32_t at(int channel, int y, int x) const { return values[index(channel, y, x)]; }

 private:
  std::size_t index(int channel, int y, int x) const {
    return static_cast<std::size_t>((std::int64_t{channel} * of.height + y) * of.width + x);
  }
};

// The type of the image that a stage makes of its input, and of a second input if the function has two. `refused` says
// why it does not take such inputs.
struct Inferred {
  ImageType out;
  std::string refused;
};
Inferred infer(const Stage& stage, const ImageType& in, const ImageType* with, bool wide_result);

// Computes the function by its definition (OpenVX 1.1, "Base Vision Functions"), a pixel at a time. `out` has its type
// already.
void compute(const Stage& stage, const Image& in, const Image* with, Image& out);

}  // namespace fansim::openvx
