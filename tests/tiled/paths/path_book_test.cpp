// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/paths/path_book.h"

#include <catch2/catch.hpp>

namespace fansim::path_book_test {

TEST_CASE("a book finds a picture again, says how much it holds, and when it takes no more") {
  tiled::PathBooks books;
  tiled::PathBook& book = books.weights;
  CHECK(books.size() == 0);
  const auto find = [&book](std::int32_t first) {
    const tiled::PictureWord picture[] = {static_cast<tiled::PictureWord>(first),
                                          static_cast<tiled::PictureWord>(first >> 16), 7, 0};
    return book.find({}, picture, 4);
  };
  int pictures = 0;
  while (!books.full()) {
    REQUIRE(find(pictures) == pictures);
    ++pictures;
  }
  CHECK(pictures > 1000);
  CHECK(books.size() == static_cast<std::size_t>(pictures));
  CHECK(find(pictures) == tiled::PathBook::kNone);
  CHECK(find(5) == 5);
  book.add(5, {}, {1, 2}, {3});
  CHECK(books.size() == static_cast<std::size_t>(pictures) + 1);
}

}  // namespace fansim::path_book_test
