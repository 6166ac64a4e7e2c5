// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/compile/host_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "openvx/stage.h"

namespace fansim::vision {
namespace {

using openvx::Function;

constexpr double kPi = 3.14159265358979323846;

// Returns the magnitude of the gradients along x and y, sqrt(x^2 + y^2), rounded to the nearest integer.
std::int32_t magnitude(std::int32_t x, std::int32_t y) {
  const auto root = std::lround(std::sqrt(static_cast<double>(x) * x + static_cast<double>(y) * y));
  return static_cast<std::int32_t>(std::min<long>(root, std::numeric_limits<std::int16_t>::max()));
}

// Returns the angle of the gradients, where 256 is the whole circle.
std::int32_t phase(std::int32_t x, std::int32_t y) {
  return static_cast<std::int32_t>(std::lround(std::atan2(y, x) * 128 / kPi)) & 0xff;
}

// Applies ITU-R BT.601 in units of 1/256.
std::int32_t gray(std::int32_t red, std::int32_t green, std::int32_t blue) {
  return (77 * red + 150 * green + 29 * blue + 128) >> 8;
}

}  // namespace

std::uint32_t host_cycles(const Path& path, const Config& config) {
  if (path.stages.front()->vision()->function == Function::picture) return 0;
  const StoredImage& result = path.result;
  const std::int64_t samples = std::int64_t{result.samples()} * result.height;
  return static_cast<std::uint32_t>(std::min<std::int64_t>(config.software.cycles_per_sample.times(samples),
                                                           std::numeric_limits<std::int32_t>::max()));
}

std::function<void(std::uint8_t*)> host_function(const Path& path) {
  const openvx::Stage stage = *path.stages.front()->vision();
  const StoredImage in = path.image, second = path.second, out = path.result;
  return [=](std::uint8_t* memory) {
    if (stage.function == Function::picture && !stage.pixels) return;
    for (int channel = 0; channel < out.channels; ++channel)
      for (int row = 0; row < out.height; ++row)
        for (int column = 0; column < out.width; ++column) {
          const auto pixel = [&](int c) { return in.at(memory, c, row, column); };
          std::int32_t value = 0;
          switch (stage.function) {
            case Function::magnitude:
              value = magnitude(pixel(2 * channel), pixel(2 * channel + 1));
              break;
            case Function::phase:
              value = phase(pixel(2 * channel), pixel(2 * channel + 1));
              break;
            case Function::channel_extract:
              value = pixel(stage.channel);
              break;
            case Function::channel_combine:
              value = channel < in.channels ? pixel(channel) : second.at(memory, channel - in.channels, row, column);
              break;
            case Function::color_convert:
              value = gray(pixel(0), pixel(1), pixel(2));
              break;
            case Function::half_scale:
              value = in.at(memory, channel, 2 * row, 2 * column);
              break;
            case Function::picture:
              value = (*stage.pixels)[(static_cast<std::size_t>(channel * out.height + row)) *
                                          static_cast<std::size_t>(out.width) +
                                      static_cast<std::size_t>(column)];
              break;
            default:
              break;
          }
          out.set(memory, channel, row, column, value);
        }
  };
}

}  // namespace fansim::vision
