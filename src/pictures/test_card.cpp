// SPDX-License-Identifier: Apache-2.0
#include "pictures/test_card.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace fansim::pictures {
namespace {

// Part `index` of `parts` equal parts of the extent.
struct Field {
  int begin, size;
  static Field of(int extent, int parts, int index) {
    const int begin = static_cast<int>(std::int64_t{extent} * index / parts);
    const int end = static_cast<int>(std::int64_t{extent} * (index + 1) / parts);
    return {begin, end - begin};
  }
};

int gradient(int at, int size, int maxval) {
  return size < 2 ? 0 : static_cast<int>(std::int64_t{at} * maxval / (size - 1));
}

// Returns whether x lies in a white bar; bars are 1, 2, 3... pixels wide.
bool in_bar(int x) {
  int bar = 1;
  for (; x >= bar; ++bar) x -= bar;
  return bar % 2 == 0;
}

bool in_square(int x, int y, int size) { return (x / size + y / size) % 2 != 0; }

// Returns whether a pixel lies in a white ring around the middle. It computes twice the distance, whose parts are whole
// numbers.
bool in_ring(int x, int y, int width, int height, int size) {
  const double across = 2.0 * x - (width - 1), down = 2.0 * y - (height - 1);
  return static_cast<int>(std::sqrt(across * across + down * down) / (2.0 * size)) % 2 == 0;
}

constexpr int kColumns = 3, kRows = 2, kNoise = 5;

int sample(int field, int x, int y, int width, int height, int maxval) {
  const int size = std::max(1, std::min(width, height) / 8);
  switch (field) {
    case 0:
      return gradient(x, width, maxval);
    case 1:
      return gradient(y, height, maxval);
    case 2:
      return in_bar(x) ? maxval : 0;
    case 3:
      return in_square(x, y, size) ? maxval : 0;
    default:
      return in_ring(x, y, width, height, size) ? maxval : 0;
  }
}

}  // namespace

Picture test_card(int width, int height, int channels, int bits, std::uint64_t seed) {
  Picture card{width, height, channels, (1 << bits) - 1, {}};
  card.samples.resize(card.sample_count());
  base::Random random(seed, "test card");
  for (int field = 0; field < kColumns * kRows; ++field) {
    const Field across = Field::of(width, kColumns, field % kColumns),
                down = Field::of(height, kRows, field / kColumns);
    for (int y = 0; y < down.size; ++y) {
      std::uint16_t* to = card.samples.data() + static_cast<std::size_t>(down.begin + y) * card.row_samples() +
                          static_cast<std::size_t>(across.begin) * static_cast<std::size_t>(channels);
      for (int x = 0; x < across.size; ++x) {
        const int first = sample(field, x, y, across.size, down.size, card.maxval);
        const int pixel[] = {first, card.maxval - first, first / 2};
        for (int c = 0; c < channels; ++c)
          *to++ = static_cast<std::uint16_t>(field == kNoise ? random.uniform(0, card.maxval) : pixel[c]);
      }
    }
  }
  return card;
}

}  // namespace fansim::pictures
