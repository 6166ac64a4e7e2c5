// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/data_type.h"

namespace fansim::openvx {

// What a stage of a pipeline computes: the base functions of OpenVX 1.1 that run, and a few of the same kind.
enum class Function : std::uint8_t {
  // Of a window of one image.
  box3x3,
  gaussian3x3,
  sobel3x3,  // two channels for each of the input's: the gradient along x, then along y
  convolution,
  dilate3x3,
  erode3x3,
  median3x3,
  median5x5,
  // Of one pixel of one or two images.
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
  // What fits no slices.
  magnitude,
  phase,
  channel_extract,
  channel_combine,
  color_convert,
  half_scale,
  // Not computed: a second picture, in memory before the run.
  picture,
};

// What lies around an image. `valid`: only windows that lie within it have an output.
enum class Border : std::uint8_t { replicate, constant, valid };

// One stage, with everything a compiler or an executor needs; what a function does not use keeps its default.
struct Stage {
  Function function = Function::convolution;
  Border border = Border::replicate;
  int border_value = 0;

  int kernel = 1;  // rows and columns of the window, odd
  // Of filters: kernel x kernel weights, -128..127, row by row, as they lie over the window (OpenVX's convolution
  // matrix turned by half a turn); of sobel3x3 those along x, then those along y.
  std::vector<int> weights;
  int divisor = 1;  // of a filter's sum, truncated towards zero: 9, or a power of two up to 2^15

  bool wraps = false;        // add, subtract, multiply: modulo 2^bits in place of the nearest value
  int shift = 0;             // accumulate_square: of the square, 0..15; multiply: of the product, 0..15
  int alpha = 0;             // accumulate_weighted: of the input, in units of 1/256, 0..256
  int lower = 0, upper = 0;  // threshold: true above `upper` (binary: lower == upper), or outside of the range
  bool range = false;        // threshold: true from `lower` to `upper`
  int true_value = 255, false_value = 0;
  int channel = 0;                                          // channel_extract
  std::string format;                                       // color_convert: "gray" of RGB
  std::shared_ptr<const std::vector<std::int32_t>> pixels;  // picture: channel by channel; none without values

  int radius() const { return kernel / 2; }
  int filters() const { return function == Function::sobel3x3 ? 2 : 1; }
};

// Where a function can run.
struct Facts {
  Function function;
  const char* name;    // in pipelines: OpenVX's, in lower case
  const char* openvx;  // "vxBox3x3"; empty: not one of OpenVX's
  bool two_inputs;     // has a `with`
  enum class Unit : std::uint8_t { filter, median, simd, host } unit;
  const char* how;  // in a line, what of the unit computes it

  bool windowed() const { return unit == Unit::filter || unit == Unit::median; }
};

const char* name(Facts::Unit unit);
const std::vector<Facts>& functions();
const Facts& facts(Function function);

}  // namespace fansim::openvx
