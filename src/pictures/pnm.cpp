// SPDX-License-Identifier: Apache-2.0
#include "pictures/pnm.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "base/error.h"
#include "pictures/size.h"

namespace fansim::pictures {
namespace {

using base::UserError;

bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(int c) { return c >= '0' && c <= '9'; }

class PnmDecoder {
 public:
  explicit PnmDecoder(std::string_view file) : magic_(file[1]), rest_(file.substr(2)) {}

  Picture decode(std::int64_t most_pixels) {
    if (magic_ != '2' && magic_ != '3' && magic_ != '5' && magic_ != '6')
      throw UserError(fmt::format("P{} is no PGM or PPM, which are P2, P3, P5 and P6", magic_));
    if (!rest_.empty() && !is_space(rest_[0]) && rest_[0] != '#')
      throw UserError(fmt::format("expected white space after P{}", magic_));
    picture_.channels = magic_ == '2' || magic_ == '5' ? 1 : 3;
    picture_.width = header("width");
    picture_.height = header("height");
    check_size(picture_.width, picture_.height, most_pixels);
    picture_.maxval = header("maxval");
    if (picture_.maxval < 1 || picture_.maxval > 65535)
      throw UserError(fmt::format("maxval {}; allowed: 1 to 65535", picture_.maxval));
    magic_ < '4' ? read_plain() : read_raw();
    return std::move(picture_);
  }

 private:
  // Returns the next character, or -1 at the end. A comment counts as the end of its line, wherever it begins.
  int next() {
    if (rest_.empty()) return -1;
    const std::size_t taken = rest_[0] == '#' ? std::min(rest_.find_first_of("\r\n"), rest_.size() - 1) : 0;
    const int c = rest_[0] == '#' ? '\n' : static_cast<unsigned char>(rest_[0]);
    rest_.remove_prefix(taken + 1);
    return c;
  }

  int next_word() {
    int c = next();
    while (is_space(c)) c = next();
    return c;
  }

  // Reads a number and the one white space behind it. Returns nothing at the end of the file, and the largest int for
  // larger numbers.
  std::optional<int> number(const char* what) {
    constexpr std::int64_t kLargest = std::numeric_limits<int>::max();
    int c = next_word();
    if (c < 0) return std::nullopt;
    std::int64_t value = 0;
    if (!is_digit(c)) throw UserError(fmt::format("{}: expected a number, found byte 0x{:02x}", what, c));
    for (; is_digit(c); c = next()) value = std::min(value * 10 + (c - '0'), kLargest);
    if (c >= 0 && !is_space(c)) throw UserError(fmt::format("{}: expected a number, found byte 0x{:02x}", what, c));
    return static_cast<int>(value);
  }

  int header(const char* what) {
    const std::optional<int> value = number(what);
    if (!value) throw UserError("truncated: the header is not whole");
    return *value;
  }

  void add(int sample) {
    if (sample > picture_.maxval) {
      const std::size_t pixel = picture_.samples.size() / static_cast<std::size_t>(picture_.channels);
      const auto width = static_cast<std::size_t>(picture_.width);
      throw UserError(fmt::format("sample {} in column {} of row {} is beyond the maxval, {}", sample, pixel % width,
                                  pixel / width, picture_.maxval));
    }
    picture_.samples.push_back(static_cast<std::uint16_t>(sample));
  }

  void read_plain() {
    const std::size_t count = picture_.sample_count();
    // A sample takes at least a digit and a white space.
    picture_.samples.reserve(std::min(count, rest_.size() / 2 + 1));
    while (picture_.samples.size() < count) {
      const std::optional<int> sample = number("sample");
      if (!sample)
        throw UserError(fmt::format("truncated: expected {} samples, found {}", count, picture_.samples.size()));
      add(*sample);
    }
    if (next_word() >= 0) throw UserError(fmt::format("too long: there is more behind {} samples", count));
  }

  void read_raw() {
    const bool wide = picture_.bits() == 16;
    const std::size_t size = picture_.sample_count() * (wide ? 2 : 1);
    if (rest_.size() != size)
      throw UserError(fmt::format("{}: expected {} bytes of samples, found {}",
                                  rest_.size() < size ? "truncated" : "too long", size, rest_.size()));
    const auto byte = [this](std::size_t i) { return int{static_cast<unsigned char>(rest_[i])}; };
    picture_.samples.reserve(picture_.sample_count());
    for (std::size_t i = 0; i < size; i += wide ? 2 : 1) add(wide ? byte(i) << 8 | byte(i + 1) : byte(i));
  }

  char magic_;
  std::string_view rest_;
  Picture picture_;
};

}  // namespace

bool is_pnm(std::string_view file) { return file.size() >= 2 && file[0] == 'P' && file[1] >= '1' && file[1] <= '7'; }

Picture decode_pnm(std::string_view file, std::int64_t most_pixels) { return PnmDecoder(file).decode(most_pixels); }

std::string encode_pnm(const Picture& picture) {
  std::string file =
      fmt::format("P{}\n{} {}\n{}\n", picture.channels == 1 ? 5 : 6, picture.width, picture.height, picture.maxval);
  file.reserve(file.size() + picture.samples.size() * 2);
  for (const std::uint16_t sample : picture.samples) {
    if (picture.bits() == 16) file.push_back(static_cast<char>(sample >> 8));
    file.push_back(static_cast<char>(sample & 0xff));
  }
  return file;
}

}  // namespace fansim::pictures
