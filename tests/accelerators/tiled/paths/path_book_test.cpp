// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/paths/path_book.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

namespace fansim::path_book_test {

TEST_CASE("a book finds a picture again and says how much it holds and when it takes no more") {
  tiled::PathBooks books;
  tiled::PathBook& book = books.weights;
  CHECK(books.size() == 0);
  const auto find = [&book](std::int32_t first) {
    tiled::PictureWord picture[tiled::kPictureWords] = {};
    std::memcpy(picture, &first, sizeof first);
    return book.find({}, picture, std::size(picture));
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

TEST_CASE("a book takes no picture and no line that is too long for it") {
  tiled::PathBook book;
  const std::vector<tiled::PictureWord> longest(65'528, 1), longer(65'536, 1);
  CHECK(book.find({}, longest.data(), longest.size()) == 0);
  CHECK(book.find({}, longest.data(), longest.size()) == 0);
  CHECK(book.find({}, longer.data(), longer.size()) == tiled::PathBook::kNone);
  CHECK(book.size() == 1);
  const std::vector<std::uint64_t> most(65'535, 1), more(65'536, 1);
  book.add(0, {}, most, most);
  CHECK(book.size() == 2);
  CHECK(book.line(0).tells() == book.line(0).log + most.size());
  book.add(0, {}, more, {});
  book.add(0, {}, {}, more);
  CHECK(book.size() == 2);
}

}  // namespace fansim::path_book_test
