// SPDX-License-Identifier: Apache-2.0
#include "pictures/png.h"

#include <png.h>

#include <catch2/catch.hpp>

#include "pictures/picture_file.h"
#include "pictures/test_card.h"
#include "support/user_error.h"

namespace fansim::png_test {

using pictures::Picture;

namespace {

struct File {
  int width, height, depth, colour;
  std::vector<std::vector<png_byte>> rows;
  std::vector<png_color> palette = {};
  int interlace = PNG_INTERLACE_NONE;
  std::string text = {};     // a comment, compressed
  bool transparent = false;  // the first of the palette
};

std::string png_of(File file) {
  std::string out;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(
      png, &out,
      [](png_structp to, png_bytep bytes, std::size_t size) {
        static_cast<std::string*>(png_get_io_ptr(to))->append(reinterpret_cast<const char*>(bytes), size);
      },
      nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(file.width), static_cast<png_uint_32>(file.height), file.depth,
               file.colour, file.interlace, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (!file.palette.empty()) png_set_PLTE(png, info, file.palette.data(), static_cast<int>(file.palette.size()));
  const png_byte clear = 0;
  if (file.transparent) png_set_tRNS(png, info, &clear, 1, nullptr);
  png_text comment{};
  std::string key = "Comment";
  comment.compression = PNG_TEXT_COMPRESSION_zTXt;
  comment.key = key.data();
  comment.text = file.text.data();
  comment.text_length = file.text.size();
  if (!file.text.empty()) png_set_text(png, info, &comment, 1);
  std::vector<png_bytep> rows;
  for (std::vector<png_byte>& row : file.rows) rows.push_back(row.data());
  png_set_rows(png, info, rows.data());
  png_write_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  png_destroy_write_struct(&png, &info);
  return out;
}

Picture decoded(const std::string& file) { return pictures::decode_png(file, pictures::kMostPixels); }

std::string refusal(const std::string& file, std::int64_t most = pictures::kMostPixels) {
  return test::message_of([&] { pictures::decode_png(file, most); });
}

}  // namespace

TEST_CASE("a PNG of every kind is samples of 8 or 16 bits") {
  CHECK(decoded(png_of({2, 2, 8, PNG_COLOR_TYPE_GRAY, {{0, 1}, {128, 255}}})) ==
        Picture{2, 2, 1, 255, {0, 1, 128, 255}});
  CHECK(decoded(png_of({2, 1, 16, PNG_COLOR_TYPE_GRAY, {{1, 2, 255, 254}}})) ==
        Picture{2, 1, 1, 65535, {0x102, 0xfffe}});
  CHECK(decoded(png_of({1, 2, 8, PNG_COLOR_TYPE_RGB, {{1, 2, 3}, {4, 5, 6}}})) ==
        Picture{1, 2, 3, 255, {1, 2, 3, 4, 5, 6}});
  CHECK(decoded(png_of({1, 1, 16, PNG_COLOR_TYPE_RGB, {{1, 2, 3, 4, 5, 6}}})) ==
        Picture{1, 1, 3, 65535, {0x102, 0x304, 0x506}});
  // Tools that make files smaller store few grays in few bits.
  CHECK(decoded(png_of({4, 1, 1, PNG_COLOR_TYPE_GRAY, {{0x50}}})) == Picture{4, 1, 1, 255, {0, 255, 0, 255}});
  CHECK(decoded(png_of({2, 1, 4, PNG_COLOR_TYPE_GRAY, {{0x3f}}})) == Picture{2, 1, 1, 255, {51, 255}});
  CHECK(decoded(png_of({3, 1, 2, PNG_COLOR_TYPE_PALETTE, {{0x18}}, {{9, 8, 7}, {1, 2, 3}, {255, 0, 4}}})) ==
        Picture{3, 1, 3, 255, {9, 8, 7, 1, 2, 3, 255, 0, 4}});
  // The image is interlaced, and a comment is not part of it.
  CHECK(decoded(png_of({3, 2, 8, PNG_COLOR_TYPE_GRAY, {{1, 2, 3}, {4, 5, 6}}, {}, PNG_INTERLACE_ADAM7, "hello"})) ==
        Picture{3, 2, 1, 255, {1, 2, 3, 4, 5, 6}});
}

TEST_CASE("transparency is refused") {
  const std::string reason = "has transparent pixels (alpha), which have no one value; save it without";
  CHECK(refusal(png_of({1, 1, 8, PNG_COLOR_TYPE_GRAY_ALPHA, {{7, 255}}})) == reason);
  CHECK(refusal(png_of({1, 1, 16, PNG_COLOR_TYPE_RGB_ALPHA, {{1, 2, 3, 4, 5, 6, 7, 8}}})) == reason);
  CHECK(refusal(png_of({1, 1, 8, PNG_COLOR_TYPE_PALETTE, {{0}}, {{1, 2, 3}}, PNG_INTERLACE_NONE, "", true})) == reason);
}

TEST_CASE("a PNG that is cut off anywhere or has any bit flipped is refused") {
  const Picture card = pictures::test_card(9, 7, 3, 8, 1);
  const std::string file = pictures::encode_png(card);
  for (std::size_t size = 4; size < file.size(); ++size) {
    CAPTURE(size);
    CHECK_THAT(refusal(file.substr(0, size)), Catch::StartsWith("damaged PNG: "));
  }
  CHECK(refusal(file.substr(0, file.size() - 12)) == "damaged PNG: truncated");
  for (std::size_t bit = 32; bit < file.size() * 8; ++bit) {
    std::string flipped = file;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    CAPTURE(bit);
    CHECK_THAT(refusal(flipped), Catch::StartsWith("damaged PNG: "));
  }
}

TEST_CASE("a PNG that unpacks to more than is allowed is refused by its header") {
  const std::string file = png_of({3, 2, 8, PNG_COLOR_TYPE_GRAY, {{1, 2, 3}, {4, 5, 6}}});
  CHECK(refusal(file, 6).empty());
  CHECK(refusal(file, 5) == "has 3 x 2 pixels; allowed: 5 in all");
  // Few bytes declare 10^10 pixels. libpng writes no such file without its rows, so they are cut off by hand.
  std::string bomb;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(
      png, &bomb,
      [](png_structp to, png_bytep bytes, std::size_t size) {
        static_cast<std::string*>(png_get_io_ptr(to))->append(reinterpret_cast<const char*>(bytes), size);
      },
      nullptr);
  png_set_IHDR(png, info, 100'000, 100'000, 16, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  png_destroy_write_struct(&png, &info);
  bomb += file.substr(file.find("IDAT") - 4);
  CHECK(refusal(bomb) == "has 100000 x 100000 pixels; allowed: 67108864 in all");
}

}  // namespace fansim::png_test
