// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/rational.h"
#include "base/text.h"
#include "base/units.h"
#include "support/user_error.h"

namespace fansim::base_test {

using test::message_of;

TEST_CASE("the nearest word is found only if it is near") {
  const std::vector<std::string> words{"conv", "maxpool", "avgpool", "relu"};
  CHECK(base::nearest("cnov", words) == "conv");
  CHECK(base::nearest("maxpol", words) == "maxpool");
  CHECK(base::nearest("softmax", words).empty());
  CHECK(base::nearest("", words).empty());
  CHECK(base::did_you_mean("rleu", words) == "; did you mean 'relu'?");
}

TEST_CASE("a user error is formatted with what is known of its place") {
  CHECK(std::string(base::UserError({"f", 2, 3}, "text").what()) == "f:2:3: text");
  CHECK(std::string(base::UserError({"f", 0, 0}, "text").what()) == "f: text");
  CHECK(std::string(base::UserError({}, "text").what()) == "text");
}

TEST_CASE("units round up") {
  CHECK(base::ceil_log2(1) == 0);
  CHECK(base::ceil_log2(9) == 4);
  CHECK(base::ceil_log2(16) == 4);
  CHECK(base::ceil_div(9, 8) == 2);
  CHECK(base::round_up(9, 8) == 16);
}

TEST_CASE("the hash is FNV-1a of 64 bits") {
  CHECK(base::Fnv1a().text() == "cbf29ce484222325");
  CHECK(base::Fnv1a().add("foobar").text() == "85944171f73967e8");
  CHECK(base::Fnv1a().add("foo").add("bar").text() == "85944171f73967e8");
}

TEST_CASE("rationals are exact") {
  CHECK(base::parse_rational("1000/3") == base::Rational{1000, 3});
  CHECK(base::parse_rational("2000/6")->text() == "1000/3");
  CHECK(base::parse_rational("333.25")->text() == "1333/4");
  CHECK(base::parse_rational("250")->text() == "250");
  for (const char* text : {"", "x", "-1", "0", "1/0", "1/", "/3", "1.5/2", "1e3", "1.", "9999999999999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(base::parse_rational(text));
  }
}

TEST_CASE("a clock of too large a term is refused with the next one that has none") {
  const auto refused = [](const char* text) { return base::too_fine(*base::parse_rational(text)); };
  for (const char* text : {"250", "1000/3", "333.25", "199.998", "1066.667", "9999999/7"}) CHECK(refused(text) == "");
  CHECK(refused("333.333333") == "333333333/1000000 has a term above 10000000; a clock next to it is 1000/3");
  CHECK(refused("250.0000001") == "2500000001/10000000 has a term above 10000000; a clock next to it is 250");
  // No ratio with such terms is nearer.
  base::Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const base::Rational ratio{random.uniform(1, 1'000'000), random.uniform(1, 1'000'000)};
    const std::int64_t most = random.uniform(1, 60);
    const base::Rational found = base::nearest(ratio, most, most);
    CAPTURE(ratio.text(), most, found.text());
    REQUIRE((found.numerator <= most && found.denominator <= most));
    if (ratio.value() > static_cast<double>(most) || ratio.value() < 1.0 / static_cast<double>(most)) continue;
    for (int n = 1; n <= most; ++n)
      for (int d = 1; d <= most; ++d)
        REQUIRE(std::abs(found.value() - ratio.value()) <=
                std::abs(static_cast<double>(n) / d - ratio.value()) * (1 + 1e-9));
  }
}

TEST_CASE("random numbers are the same everywhere and cover their range") {
  base::Random random(1);
  CHECK(random.next() == 0xb3f2af6d0fc710c5u);
  CHECK(base::Random(1, "conv1").next() != base::Random(1, "conv2").next());
  CHECK(base::Random(1, "conv1").next() == base::Random(1, "conv1").next());
  std::vector<int> seen(7);
  for (int i = 0; i < 7000; ++i) ++seen.at(static_cast<std::size_t>(random.uniform(-3, 3) + 3));
  for (const int count : seen) CHECK(std::abs(count - 1000) < 200);

  std::vector<std::int8_t> values(100'003, 100);
  random.fill(values.data(), values.size(), -2, 2);
  std::vector<int> histogram(5);
  for (const std::int8_t value : values) ++histogram.at(static_cast<std::size_t>(value + 2));
  for (const int count : histogram) CHECK(std::abs(count - 20000) < 1000);
  CHECK(base::Random(2).uniform(INT32_MIN, INT32_MAX) != base::Random(3).uniform(INT32_MIN, INT32_MAX));
}

TEST_CASE("a file is replaced whole or not at all") {
  const test::ScratchDirectory dir;
  base::write_file(dir / "a", "first");
  base::write_file(dir / "a", std::string("second\0", 7));
  CHECK(base::read_file(dir / "a") == std::string("second\0", 7));
  std::filesystem::create_directory(dir / "taken");
  CHECK(message_of([&] { base::write_file(dir / "taken", "x"); }) ==
        (dir / "taken") + ": cannot write: Is a directory");
  CHECK(message_of([&] { base::write_file(dir / "no/such", "x"); }) ==
        (dir / "no/such") + ": cannot write: No such file or directory");
  const std::filesystem::directory_iterator files(dir.path());
  CHECK(std::distance(begin(files), end(files)) == 2);
  base::write_file(dir / "empty", "");
  CHECK(base::read_file(dir / "empty").empty());
}

TEST_CASE("a path is resolved beside the file that names it") {
  CHECK(base::beside("configs/systems/a.yaml", "../parts/b.yaml") == "configs/parts/b.yaml");
  CHECK(base::beside("a.yaml", "b.yaml") == "b.yaml");
  CHECK(base::beside("x/a.yaml", "/b.yaml") == "/b.yaml");
}

TEST_CASE("a generator that skips draws is one that made them") {
  for (const std::uint64_t draws : std::initializer_list<std::uint64_t>{0, 1, 2, 63, 255, 256, 257, 100'003}) {
    base::Random skipping(7, "stream"), drawing(7, "stream");
    skipping.skip(draws);
    for (std::uint64_t i = 0; i < draws; ++i) drawing.next();
    CAPTURE(draws);
    for (int i = 0; i < 4; ++i) REQUIRE(skipping.next() == drawing.next());
  }
}

TEST_CASE("many values are those that single draws have and so is what follows them") {
  for (const std::size_t count :
       std::initializer_list<std::size_t>{0, 3, 4, 1001, 65'536, 65'537, 300'002, 1'200'003}) {
    base::Random filling(3), drawing(3);
    std::vector<std::int8_t> values(count);
    filling.fill(values.data(), count, -77, 50);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < count; ++i, bits >>= 16) {
      if (i % 4 == 0) bits = drawing.next();
      REQUIRE(int{values[i]} == -77 + static_cast<int>((bits & 0xffff) * 128 >> 16));
    }
    CAPTURE(count);
    CHECK(filling.next() == drawing.next());
  }
}

TEST_CASE("what is printed holds no byte that a terminal obeys and UTF-8 stays") {
  CHECK(base::printable("a\tb\nµ €\xf0\x9f\x98\x80") == "a\tb\nµ €\xf0\x9f\x98\x80");
  CHECK(base::printable("\x1b[2J\r\x7f\xc2\x9b") == "\\x1b[2J\\x0d\\x7f\\xc2\\x9b");
  CHECK(base::printable("\xff\xc3(") == "\\xff\\xc3(");
  // Overlong, a surrogate, beyond the last character, cut off.
  for (const char* bad : {"\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"})
    CHECK(base::not_utf8(std::string("ab") + bad) == 2);
  CHECK(base::not_utf8("µ €\xf4\x8f\xbf\xbf") == std::string::npos);
}

}  // namespace fansim::base_test
