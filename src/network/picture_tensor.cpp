// SPDX-License-Identifier: Apache-2.0
#include "network/picture_tensor.h"

#include <fmt/format.h>

#include "base/error.h"
#include "pictures/picture_file.h"
#include "pictures/test_card.h"

namespace fansim::network {
namespace {

// Calls f(element of the map, sample of the picture) for each value with both its indices.
template <class F>
void pair_up(const Shape& map, F&& f) {
  const auto channels = static_cast<std::size_t>(map.channels);
  const std::size_t pixels = static_cast<std::size_t>(map.elements()) / channels;
  for (std::size_t c = 0; c < channels; ++c)
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) f(c * pixels + pixel, pixel * channels + c);
}

std::string size_text(int width, int height, int channels) {
  return fmt::format("{} x {} pixels of {} channel{}", width, height, channels, channels == 1 ? "" : "s");
}

// Scales samples so that white is the highest code.
void set(Tensor& map, const pictures::Picture& picture) {
  const int highest = map.format.highest();
  map.resize(picture.samples.size());
  map.visit_integers([&](auto values) {
    pair_up(map.shape, [&](std::size_t element, std::size_t sample) {
      const std::int64_t code = (std::int64_t{picture.samples[sample]} * highest + picture.maxval / 2) / picture.maxval;
      values.set(element, static_cast<typename decltype(values)::Value>(code));
    });
  });
}

}  // namespace

bool is_picture(const Shape& shape, const NumberFormat& format) {
  const bool whole = format.type == base::DataType::uint8 || format.type == base::DataType::uint16;
  return whole && !shape.sequence && (shape.channels == 1 || shape.channels == 3);
}

pictures::Picture picture_of(const Tensor& map) {
  pictures::Picture picture{map.shape.width, map.shape.height, map.shape.channels, map.format.highest(), {}};
  picture.samples.resize(picture.sample_count());
  map.visit_integers([&](auto values) {
    pair_up(map.shape, [&](std::size_t element, std::size_t sample) {
      picture.samples[sample] = static_cast<std::uint16_t>(values[element]);
    });
  });
  return picture;
}

void read_picture(const std::string& path, Tensor& map) {
  const auto fail = [&path](const std::string& text) { throw base::UserError(base::Location{path, 0, 0}, text); };
  if (!is_picture(map.shape, map.format))
    fail(fmt::format("a picture is a map of 1 or 3 channels of uint8 or uint16; the network's input is {} of {}",
                     map.shape.text(), base::facts(map.format.type).word));
  const pictures::Picture picture = pictures::read_picture(path);
  if (picture.width != map.shape.width || picture.height != map.shape.height || picture.channels != map.shape.channels)
    fail(fmt::format("expected {}, as the network's input, found {}",
                     size_text(map.shape.width, map.shape.height, map.shape.channels),
                     size_text(picture.width, picture.height, picture.channels)));
  const int highest = map.format.highest();
  if (picture.maxval > highest)
    fail(fmt::format("has samples of 0 to {}; the network's input ends at {}", picture.maxval, highest));
  set(map, picture);
}

void fill_test_card(Tensor& map, std::uint64_t seed) {
  const int bits = map.format.type == base::DataType::uint8 ? 8 : 16;
  set(map, pictures::test_card(map.shape.width, map.shape.height, map.shape.channels, bits, seed));
}

}  // namespace fansim::network
