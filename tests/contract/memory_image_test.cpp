// SPDX-License-Identifier: Apache-2.0
#include "contract/memory_image.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

namespace fansim::memory_image_test {

using contract::MemoryImage;

TEST_CASE("a memory's image is zeros until it is written and so is a copy") {
  for (const std::size_t size : std::initializer_list<std::size_t>{1, 4095, 4096, 10'000, (std::size_t{9} << 20) + 5}) {
    CAPTURE(size);
    MemoryImage image(size);
    CHECK(std::count(image.begin(), image.end(), 0) == static_cast<std::ptrdiff_t>(size));
    image[size / 2] = 3;
    image[size - 1] = 7;
    const MemoryImage copy = image;
    REQUIRE(copy.size() == size);
    CHECK(std::equal(copy.begin(), copy.end(), image.begin()));
    image[0] = 1;
    CHECK(copy[0] == (size == 1 ? 7 : 0));
  }
}

TEST_CASE("an image that is moved or cleared holds nothing") {
  MemoryImage image(std::vector<std::uint8_t>{1, 2, 3});
  const std::uint8_t* const at = image.data();
  MemoryImage other = std::move(image);
  CHECK(other.data() == at);
  CHECK(std::vector<std::uint8_t>(other.begin(), other.end()) == std::vector<std::uint8_t>{1, 2, 3});
  other.clear();
  CHECK(other.empty());
  CHECK(other.begin() == other.end());
  CHECK(MemoryImage().empty());
}

}  // namespace fansim::memory_image_test
