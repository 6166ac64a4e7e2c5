// SPDX-License-Identifier: Apache-2.0
#include "network/picture_tensor.h"

#include <catch2/catch.hpp>

#include "pictures/picture_file.h"
#include "pictures/test_card.h"
#include "support/user_error.h"

namespace fansim::picture_tensor_test {

using network::NumberFormat;
using pictures::Picture;

namespace {

network::Tensor map(const network::Shape& shape, const NumberFormat& format) { return {shape, format, {}}; }

}  // namespace

TEST_CASE("a map of uint8 or uint16 is a picture and back whatever its bits") {
  const test::ScratchDirectory folder;
  for (const int channels : {1, 3})
    for (const int bits : {1, 4, 8, 12, 16}) {
      CAPTURE(channels, bits);
      const Picture card = pictures::test_card(13, 6, channels, bits, 4);
      const std::string file = folder / (channels == 1 ? "card.pgm" : "card.ppm");
      pictures::write_picture(file, card);
      network::Tensor tensor = map(network::Shape::map(channels, 6, 13), NumberFormat::codes(bits, true));
      network::read_picture(file, tensor);
      CHECK(tensor.size() == card.samples.size());
      const auto last = static_cast<std::size_t>(channels - 1);
      CHECK(tensor.at(last * 6 * 13 + 12) == card.samples[12 * static_cast<std::size_t>(channels) + last]);
      CHECK(network::picture_of(tensor) == card);
    }
}

TEST_CASE("samples of fewer bits than the map's are scaled so that white stays white") {
  const test::ScratchDirectory folder;
  const auto codes = [&](const Picture& picture, const NumberFormat& format) {
    pictures::write_picture(folder / "p.pgm", picture);
    network::Tensor tensor = map(network::Shape::map(1, 1, 3), format);
    network::read_picture(folder / "p.pgm", tensor);
    return std::vector<int>{tensor.at(0), tensor.at(1), tensor.at(2)};
  };
  CHECK(codes({3, 1, 1, 15, {0, 7, 15}}, NumberFormat::codes(8, true)) == std::vector<int>{0, 119, 255});
  CHECK(codes({3, 1, 1, 100, {0, 50, 100}}, NumberFormat::codes(8, true)) == std::vector<int>{0, 128, 255});
  CHECK(codes({3, 1, 1, 255, {0, 1, 255}}, NumberFormat::codes(16, true)) == std::vector<int>{0, 257, 65535});
  CHECK(codes({3, 1, 1, 255, {0, 127, 255}}, NumberFormat::codes(12, true)) == std::vector<int>{0, 2039, 4095});
  CHECK(test::message_of([&] {
          codes({3, 1, 1, 4095, {0, 0, 0}}, NumberFormat::codes(8, true));
        }) == folder / "p.pgm: has samples of 0 to 4095; the network's input ends at 255");
}

TEST_CASE("sequences and signed maps and others are no pictures") {
  const NumberFormat byte = NumberFormat::codes(8, true);
  CHECK(network::is_picture(network::Shape::map(1, 2, 3), byte));
  CHECK(network::is_picture(network::Shape::map(3, 2, 3), NumberFormat::codes(12, true)));
  CHECK_FALSE(network::is_picture(network::Shape::map(2, 2, 3), byte));
  CHECK_FALSE(network::is_picture(network::Shape::map(4, 2, 3), byte));
  CHECK_FALSE(network::is_picture(network::Shape::series(2, 3), byte));
  CHECK_FALSE(network::is_picture(network::Shape::map(1, 2, 3), NumberFormat::codes(8)));
  CHECK_FALSE(network::is_picture(network::Shape::map(1, 2, 3), NumberFormat::of(base::DataType::float32)));
}

}  // namespace fansim::picture_tensor_test
