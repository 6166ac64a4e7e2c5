// SPDX-License-Identifier: Apache-2.0
#include "pictures/pnm.h"

#include <catch2/catch.hpp>

#include "pictures/picture_file.h"
#include "support/user_error.h"

namespace fansim::pnm_test {

using pictures::Picture;
using Samples = std::vector<std::uint16_t>;

namespace {

Picture decoded(std::string_view file) { return pictures::decode_pnm(file, pictures::kMostPixels); }

std::string refusal(std::string_view file, std::int64_t most = pictures::kMostPixels) {
  return test::message_of([&] { pictures::decode_pnm(file, most); });
}

}  // namespace

TEST_CASE("plain pictures are numbers between white space and comments") {
  CHECK(decoded("P2 3 2 255 0 1 2\n253\t254\r\n255") == Picture{3, 2, 1, 255, {0, 1, 2, 253, 254, 255}});
  CHECK(decoded("P2\n# by hand\n2#wide\n1 # high\n7\n3 # a sample\n7\n# done\n") == Picture{2, 1, 1, 7, {3, 7}});
  CHECK(decoded("P2# at once\n1 1 1\n1\n") == Picture{1, 1, 1, 1, {1}});
  CHECK(decoded("P3\n1 2\n65535\n1 2 3  256 65535 0\n") == Picture{1, 2, 3, 65535, {1, 2, 3, 256, 65535, 0}});
  CHECK(decoded("P2 1 1 255 0000255") == Picture{1, 1, 1, 255, {255}});
}

TEST_CASE("raw pictures are bytes behind one white space with the high one first of two") {
  using namespace std::string_view_literals;
  CHECK(decoded("P5 3 1 255\n\x00\x7f\xff"sv) == Picture{3, 1, 1, 255, {0, 127, 255}});
  CHECK(decoded("P5 2 1 255\n\n#"sv) == Picture{2, 1, 1, 255, {'\n', '#'}});
  CHECK(decoded("P5 1 1 255# end\n\x05"sv) == Picture{1, 1, 1, 255, {5}});
  CHECK(decoded("P5\n2 1\n4095\n\x01\x02\x0f\xff"sv) == Picture{2, 1, 1, 4095, {0x102, 0xfff}});
  CHECK(decoded("P6 1 1 255 abc"sv) == Picture{1, 1, 3, 255, {'a', 'b', 'c'}});
  CHECK(decoded("P6 1 1 256 \x00\x01\x01\x00\x00\x02"sv) == Picture{1, 1, 3, 256, {1, 256, 2}});
}

TEST_CASE("a picture is written raw") {
  using namespace std::string_literals;
  CHECK(pictures::encode_pnm({2, 1, 1, 255, {1, 255}}) == "P5\n2 1\n255\n\x01\xff"s);
  CHECK(pictures::encode_pnm({1, 1, 3, 256, {1, 256, 2}}) == "P6\n1 1\n256\n\x00\x01\x01\x00\x00\x02"s);
}

TEST_CASE("a damaged picture is refused with what is wrong") {
  for (const char* cut : {"P5", "P2 ", "P5 3", "P5 3 2", "P6 3 2 "}) {
    CAPTURE(cut);
    CHECK(refusal(cut) == "truncated: the header is not whole");
  }
  CHECK(refusal("P5 3 1 255\nab") == "truncated: expected 3 bytes of samples, found 2");
  CHECK(refusal("P5 3 1 255\nabcd") == "too long: expected 3 bytes of samples, found 4");
  CHECK(refusal("P5 3 1 256\nabcde") == "truncated: expected 6 bytes of samples, found 5");
  CHECK(refusal("P5 1 1 255") == "truncated: expected 1 bytes of samples, found 0");
  CHECK(refusal("P3 1 1 255 1 2") == "truncated: expected 3 samples, found 2");
  CHECK(refusal("P2 1 1 255 1 2") == "too long: there is more behind 1 samples");
  CHECK(refusal("P2 1 1 255 1\nP2 1 1 255 1") == "too long: there is more behind 1 samples");
  CHECK(refusal("P2 2 2 9 1 2 3 10") == "sample 10 in column 1 of row 1 is beyond the maxval, 9");
  CHECK(refusal("P5 1 1 9\n\x0a") == "sample 10 in column 0 of row 0 is beyond the maxval, 9");
  CHECK(refusal("P2 1 1 255 -1") == "sample: expected a number, found byte 0x2d");
  CHECK(refusal("P2 1 1 255 1,2") == "sample: expected a number, found byte 0x2c");
  CHECK(refusal("P5 1.5 1 255 a") == "width: expected a number, found byte 0x2e");
  CHECK(refusal("P5x1 1 255 a") == "expected white space after P5");
  CHECK(refusal("P4 8 1 a") == "P4 is no PGM or PPM, which are P2, P3, P5 and P6");
}

TEST_CASE("a header that promises nothing or more than is allowed is refused before its samples are looked for") {
  CHECK(refusal("P5 0 3 255\n") == "has 0 x 3 pixels: none");
  CHECK(refusal("P5 3 0 255\n") == "has 3 x 0 pixels: none");
  CHECK(refusal("P5 1 1 0\n\x01") == "maxval 0; allowed: 1 to 65535");
  CHECK(refusal("P5 1 1 65536\n\x01\x01") == "maxval 65536; allowed: 1 to 65535");
  CHECK(refusal("P5 8193 8192 255\n") == "has 8193 x 8192 pixels; allowed: 67108864 in all");
  CHECK(refusal("P5 3 2 255\nabcdef", 6).empty());
  CHECK(refusal("P5 3 2 255\nabcdef", 5) == "has 3 x 2 pixels; allowed: 5 in all");
  // More than any integer holds.
  CHECK(refusal("P5 99999999999999999999 99999999999999999999 255\n") ==
        "has 2147483647 x 2147483647 pixels; allowed: 67108864 in all");
  // Even the most samples that are allowed take no memory unless the file has them.
  CHECK(refusal("P2 8192 8192 255 1") == "truncated: expected 67108864 samples, found 1");
}

}  // namespace fansim::pnm_test
