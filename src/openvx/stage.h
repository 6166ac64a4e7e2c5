// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/data_type.h"

namespace fansim::openvx {

// What a stage of a pipeline computes: the base functions of OpenVX 1.1 that are supported, and a few similar ones.
enum class Function : std::uint8_t {
  // These read a window of one image.
  box3x3,
  gaussian3x3,
  sobel3x3,  // has two channels for each of the input's: the gradient along x, then along y
  convolution,
  dilate3x3,
  erode3x3,
  median3x3,
  median5x5,
  // These read one pixel of one or two images.
  absdiff,
  accumulate,
  accumulate_square,
  accumulate_weighted,
  add,
  subtract,
  multiply,
  minimum,
  maximum,
  bitwise_and,
  bitwise_or,
  bitwise_xor,
  bitwise_not,
  threshold,
  // These have no mapping to DSP slices.
  magnitude,
  phase,
  channel_extract,
  channel_combine,
  color_convert,
  half_scale,
  // This one is not computed: it is a second picture, in memory before the run.
  picture,
};

// What lies around an image. With `valid`, only windows that lie within the image have an output.
enum class Border : std::uint8_t { replicate, constant, valid };

// One stage, with everything that a compiler or an executor needs. Fields that a function does not use keep their
// defaults.
struct Stage {
  Function function = Function::convolution;
  Border border = Border::replicate;
  int border_value = 0;

  int kernel = 1;  // rows and columns of the window; odd
  // Filters have kernel x kernel weights, -128..127, row by row, as they lie over the window (OpenVX's convolution
  // matrix rotated by half a turn). sobel3x3 has those along x, then those along y.
  std::vector<int> weights;
  int divisor = 1;  // divides a filter's sum, truncating towards zero: 9, or a power of two up to 2^15

  bool wraps = false;        // add, subtract, multiply: wrap modulo 2^bits instead of saturating
  int shift = 0;             // accumulate_square: shifts the square; multiply: shifts the product; 0..15
  int alpha = 0;             // accumulate_weighted: weight of the input in units of 1/256, 0..256
  int lower = 0, upper = 0;  // threshold: true above `upper` (binary: lower == upper), or outside the range
  bool range = false;        // threshold: true from `lower` to `upper`
  int true_value = 255, false_value = 0;
  int channel = 0;                                          // the channel of channel_extract
  std::string format;                                       // color_convert: "gray" from RGB
  std::shared_ptr<const std::vector<std::int32_t>> pixels;  // picture: its samples by channel; null without values

  int radius() const { return kernel / 2; }
  int filters() const { return function == Function::sobel3x3 ? 2 : 1; }
};

// A function's names, and where it can run.
struct Facts {
  Function function;
  const char* name;    // in pipelines: OpenVX's name in lower case
  const char* openvx;  // such as "vxBox3x3"; empty if OpenVX does not have it
  bool two_inputs;     // the function has a second input, `with`
  enum class Unit : std::uint8_t { filter, median, simd, host } unit;
  const char* how;  // one line on how the unit computes it

  bool windowed() const { return unit == Unit::filter || unit == Unit::median; }
};

const char* name(Facts::Unit unit);
const std::vector<Facts>& functions();
const Facts& facts(Function function);

}  // namespace fansim::openvx
