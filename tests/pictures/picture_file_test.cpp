// SPDX-License-Identifier: Apache-2.0
#include "pictures/picture_file.h"

#include <catch2/catch.hpp>

#include "base/file.h"
#include "pictures/test_card.h"
#include "support/user_error.h"

namespace fansim::picture_file_test {

using pictures::Picture;
using test::message_of;

TEST_CASE("what is written in any format is read back") {
  const test::ScratchDirectory folder;
  for (const char* name : {"a.pgm", "a.ppm", "gray.png", "colour.PNG"}) {
    const int channels = name[0] == 'g' || name[3] == 'g' ? 1 : 3;
    for (const int bits : {8, 16}) {
      CAPTURE(name, bits);
      for (const auto& [width, height] : {std::pair{37, 23}, {1, 1}, {1, 90}, {2, 1}}) {
        const Picture card = pictures::test_card(width, height, channels, bits, 3);
        pictures::write_picture(folder / name, card);
        CHECK(pictures::read_picture(folder / name) == card);
      }
    }
  }
}

TEST_CASE("a picture is known by its first bytes and a file that is none by its name") {
  const test::ScratchDirectory folder;
  const std::string path = folder / "p.png";
  base::write_file(path, "P2 1 1 255 7");
  CHECK(pictures::read_picture(path) == Picture{1, 1, 1, 255, {7}});
  for (const char* other : {"", "P", "GIF89a", "P8 1 1 1 1", "\x89PN"}) {
    base::write_file(path, other);
    CHECK(message_of([&] { pictures::read_picture(path); }) == path + ": not a PGM, PPM or PNG picture");
  }
  base::write_file(path, "P5 1 1 255\n");
  CHECK(message_of([&] { pictures::read_picture(path); }) ==
        path + ": truncated: expected 1 bytes of samples, found 0");
  CHECK(message_of([&] { pictures::read_picture(folder / "none.pgm"); }) ==
        folder / "none.pgm: cannot read: No such file or directory");
}

TEST_CASE("names of pictures and what a file of each can hold") {
  CHECK(pictures::is_picture_name("a/b.c/d.PgM"));
  CHECK(pictures::is_picture_name("x.ppm"));
  for (const char* other : {"", "-", "a.npy", "a.pgm/b", "png", ".png", "a.pngx"}) {
    CAPTURE(other);
    CHECK_FALSE(pictures::is_picture_name(other));
  }
  const auto refusal = [](const char* path, int channels, int maxval) {
    return message_of([&] { pictures::check_picture_name(path, channels, maxval); });
  };
  CHECK(refusal("a.pgm", 1, 4095).empty());
  CHECK(refusal("a.ppm", 3, 1).empty());
  CHECK(refusal("a.png", 1, 255).empty());
  CHECK(refusal("a.png", 3, 65535).empty());
  CHECK(refusal("a.pgm", 3, 255) == "a.pgm: a .pgm picture has 1 channel, not 3");
  CHECK(refusal("a.PPM", 1, 255) == "a.PPM: a .ppm picture has 3 channels, not 1");
  CHECK(refusal("a.png", 1, 15) == "a.png: a .png picture has 8 or 16 bits; .pgm and .ppm hold samples of 0 to 15");
}

TEST_CASE("a test card has every field and the seed is its noise alone") {
  const Picture card = pictures::test_card(60, 40, 3, 8, 1);
  const auto at = [&](const Picture& picture, int x, int y, int c) {
    return int{picture.samples[static_cast<std::size_t>((y * 60 + x) * 3 + c)]};
  };
  CHECK(at(card, 0, 0, 0) == 0);
  CHECK(at(card, 19, 0, 0) == 255);   // across
  CHECK(at(card, 19, 0, 1) == 0);     // the negative
  CHECK(at(card, 19, 0, 2) == 127);   // half
  CHECK(at(card, 20, 19, 0) == 255);  // down
  CHECK(at(card, 20, 0, 0) == 0);
  std::string bars, squares, rings;
  for (int x = 0; x < 20; ++x) {
    bars += at(card, 40 + x, 5, 0) != 0 ? '#' : '.';
    squares += at(card, x, 20, 0) != 0 ? '#' : '.';
    rings += at(card, 20 + x, 30, 0) != 0 ? '#' : '.';
  }
  CHECK(bars == ".##...####.....#####");
  CHECK(squares == "..##..##..##..##..##");
  CHECK(rings == "##..##..####..##..##");
  const Picture other = pictures::test_card(60, 40, 3, 8, 2);
  bool differs = false;
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 60; ++x)
      for (int c = 0; c < 3; ++c) {
        const bool noise = x >= 40 && y >= 20;
        if (!noise) CHECK(at(card, x, y, c) == at(other, x, y, c));
        differs = differs || at(card, x, y, c) != at(other, x, y, c);
      }
  CHECK(differs);
  CHECK(pictures::test_card(5, 3, 1, 16, 9) == pictures::test_card(5, 3, 1, 16, 9));
  CHECK(pictures::test_card(60, 40, 1, 16, 9).samples[19] == 65535);
}

}  // namespace fansim::picture_file_test
