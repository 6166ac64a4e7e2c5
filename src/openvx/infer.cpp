// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "openvx/image_type.h"

namespace fansim::openvx {
namespace {

using base::DataType;

const char* word(DataType type) { return base::facts(type).word; }

std::string needs(const Stage& stage, const char* what, const ImageType& in) {
  return fmt::format("{} takes {}; this image is {} of {} channel{}", facts(stage.function).name, what, word(in.type),
                     in.channels, in.channels == 1 ? "" : "s");
}

// Returns why the stage does not take these two images; empty if it does. Both must have one size.
std::string refuse_pair(const Stage& stage, const ImageType& a, const ImageType& b) {
  const bool combines = stage.function == Function::channel_combine;
  if (a.width != b.width || a.height != b.height || (a.channels != b.channels && !combines))
    return fmt::format("{} takes two images of one size; these are {} x {} x {} and {} x {} x {}",
                       facts(stage.function).name, a.width, a.height, a.channels, b.width, b.height, b.channels);
  switch (stage.function) {
    case Function::accumulate:
    case Function::accumulate_square:
      if (a.type != DataType::uint8 || b.type != DataType::int16)
        return needs(stage, "a uint8 image and, as `with`, an accumulator of int16", a);
      break;
    case Function::accumulate_weighted:
    case Function::bitwise_and:
    case Function::bitwise_or:
    case Function::bitwise_xor:
      if (a.type != DataType::uint8 || b.type != DataType::uint8) return needs(stage, "uint8 images", a);
      break;
    case Function::add:
    case Function::subtract:
    case Function::multiply: {
      const bool mixed = (a.type == DataType::uint8 || a.type == DataType::int16) &&
                         (b.type == DataType::uint8 || b.type == DataType::int16);
      if (a.type != b.type && !mixed) return needs(stage, "images of one type, or of uint8 and int16", a);
      break;
    }
    default:
      if (a.type != b.type) return needs(stage, "images of one type", a);
  }
  return "";
}

}  // namespace

Inferred infer(const Stage& stage, const ImageType& in, const ImageType* with, bool wide_result) {
  Inferred inferred{in, ""};
  ImageType& out = inferred.out;
  const Facts& function = facts(stage.function);
  if (with) inferred.refused = refuse_pair(stage, in, *with);
  if (!inferred.refused.empty()) return inferred;
  if (function.unit == Facts::Unit::filter) {
    if (in.type != DataType::uint8) inferred.refused = needs(stage, "uint8 images", in);
    if (stage.function == Function::sobel3x3 || wide_result) out.type = DataType::int16;
    out.channels *= stage.filters();
  }
  if (function.windowed() && stage.border == Border::valid) {
    out.width -= 2 * stage.radius();
    out.height -= 2 * stage.radius();
    if (out.width < 1 || out.height < 1)
      inferred.refused = fmt::format("{}: no window of {} x {} lies within an image of {} x {}", function.name,
                                     stage.kernel, stage.kernel, in.width, in.height);
  }
  switch (stage.function) {
    case Function::accumulate:
    case Function::accumulate_square:
      out.type = DataType::int16;
      break;
    case Function::add:
    case Function::subtract:
    case Function::multiply:
      if (wide_result || in.type != with->type) out.type = DataType::int16;
      break;
    case Function::bitwise_not:
      if (in.type != DataType::uint8) inferred.refused = needs(stage, "uint8 images", in);
      break;
    case Function::threshold:
      out.type = DataType::uint8;
      break;
    case Function::magnitude:
    case Function::phase:
      if (in.type != DataType::int16 || in.channels % 2 != 0)
        inferred.refused = needs(stage, "gradients, as sobel3x3 makes them: int16, two for each channel", in);
      out.channels = in.channels / 2;
      if (stage.function == Function::phase) out.type = DataType::uint8;
      break;
    case Function::channel_extract:
      if (stage.channel >= in.channels)
        inferred.refused = fmt::format("channel {} of an image of {}; the first is 0", stage.channel, in.channels);
      out.channels = 1;
      break;
    case Function::channel_combine:
      out.channels = in.channels + with->channels;
      if (out.channels > 4) inferred.refused = fmt::format("{} channels; at most 4", out.channels);
      break;
    case Function::color_convert:
      if (in.type != DataType::uint8 || in.channels != 3) inferred.refused = needs(stage, "uint8 RGB", in);
      out.channels = 1;
      break;
    case Function::half_scale:
      out.width = (in.width + 1) / 2;
      out.height = (in.height + 1) / 2;
      break;
    default:
      break;
  }
  return inferred;
}

}  // namespace fansim::openvx
