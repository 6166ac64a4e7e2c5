// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "openvx/stage.h"

namespace fansim::openvx {

const char* name(Facts::Unit unit) {
  switch (unit) {
    case Facts::Unit::filter:
      return "packed INT8";
    case Facts::Unit::median:
    case Facts::Unit::simd:
      return "SIMD";
    case Facts::Unit::host:
      break;
  }
  return "host";
}

// The rows have the order of Function.
const std::vector<Facts>& functions() {
  using U = Facts::Unit;
  static const std::vector<Facts> kFunctions{
      {Function::box3x3, "box3x3", "vxBox3x3", false, U::filter, "nine products, divided by 9 by its reciprocal"},
      {Function::gaussian3x3, "gaussian3x3", "vxGaussian3x3", false, U::filter, "nine products, four bits dropped"},
      {Function::sobel3x3, "sobel3x3", "vxSobel3x3", false, U::filter, "two filters of one window"},
      {Function::convolution, "convolution", "vxConvolve", false, U::filter, "coefficients of 8 bits, up to 7 x 7"},
      {Function::dilate3x3, "dilate3x3", "vxDilate3x3", false, U::median, "eight exchanges: the largest"},
      {Function::erode3x3, "erode3x3", "vxErode3x3", false, U::median, "eight exchanges: the smallest"},
      {Function::median3x3, "median3x3", "vxMedian3x3", false, U::median, "a network of exchanges"},
      {Function::median5x5, "median5x5", "", false, U::median, "a network of exchanges"},
      {Function::absdiff, "absdiff", "vxAbsDiff", true, U::simd, "both differences, the sign chooses"},
      {Function::accumulate, "accumulate", "vxAccumulateImage", true, U::simd, "a sum, saturated to 16 bits"},
      {Function::accumulate_square, "accumulate_square", "vxAccumulateSquareImage", true, U::simd,
       "a multiplier for the square, a sum"},
      {Function::accumulate_weighted, "accumulate_weighted", "vxAccumulateWeightedImage", true, U::simd,
       "a difference, a multiplier, a sum"},
      {Function::add, "add", "vxAdd", true, U::simd, "a sum"},
      {Function::subtract, "subtract", "vxSubtract", true, U::simd, "a difference"},
      {Function::multiply, "multiply", "vxMultiply", true, U::simd, "a multiplier"},
      {Function::minimum, "minimum", "", true, U::simd, "a difference, the sign chooses"},
      {Function::maximum, "maximum", "", true, U::simd, "a difference, the sign chooses"},
      {Function::bitwise_and, "bitwise_and", "vxAnd", true, U::simd, "the slice's logic unit"},
      {Function::bitwise_or, "bitwise_or", "vxOr", true, U::simd, "the slice's logic unit"},
      {Function::bitwise_xor, "bitwise_xor", "vxXor", true, U::simd, "the slice's logic unit"},
      {Function::bitwise_not, "bitwise_not", "vxNot", false, U::simd, "the slice's logic unit"},
      {Function::threshold, "threshold", "vxThreshold", false, U::simd, "two differences, the signs choose"},
      {Function::magnitude, "magnitude", "vxMagnitude", false, U::host, "a square root"},
      {Function::phase, "phase", "vxPhase", false, U::host, "an arc tangent"},
      {Function::channel_extract, "channel_extract", "vxChannelExtract", false, U::host, "bytes moved"},
      {Function::channel_combine, "channel_combine", "vxChannelCombine", true, U::host, "bytes moved"},
      {Function::color_convert, "color_convert", "vxColorConvert", false, U::host, "RGB to gray"},
      {Function::half_scale, "half_scale", "vxHalfScaleGaussian", false, U::host,
       "every second pixel; gaussian3x3 or a convolution before it filters"},
      {Function::picture, "picture", "", false, U::host, "another input, in memory before the run"},
  };
  return kFunctions;
}

const Facts& facts(Function function) {
  const Facts& one = functions().at(static_cast<std::size_t>(function));
  if (one.function != function) throw std::logic_error("openvx: functions out of order");
  return one;
}

}  // namespace fansim::openvx
