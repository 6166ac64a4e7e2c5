// SPDX-License-Identifier: Apache-2.0
#include "primitives/init_file.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"

namespace fansim::primitives {
namespace {

// Cuts the text into words at blanks and comments, and knows where each word begins.
class Words {
 public:
  Words(const std::string& text, const std::string& file) : text_(text), where_{file, 1, 1} {}

  // Returns the next word, or an empty text at the end.
  std::string next() {
    while (at_ < text_.size() && skip()) {
    }
    begin_ = where_;
    std::string word;
    while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '/') word += take();
    if (word.empty() && at_ < text_.size()) throw base::UserError(begin_, "expected a hexadecimal word, found '/'");
    return word;
  }
  const base::Location& where() const { return begin_; }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f'; }

  char take() {
    const char c = text_[at_++];
    where_.line += c == '\n' ? 1 : 0;
    where_.column = c == '\n' ? 1 : where_.column + 1;
    return c;
  }
  void take_through(const std::string& end) {
    const std::size_t found = text_.find(end, at_ + 2);
    const std::size_t stop = found == std::string::npos ? text_.size() : found + end.size();
    while (at_ < stop) take();
  }
  // Skips a blank or a comment. Returns false if neither begins here.
  bool skip() {
    if (text_.compare(at_, 2, "//") == 0)
      take_through("\n");
    else if (text_.compare(at_, 2, "/*") == 0)
      take_through("*/");
    else if (is_blank(text_[at_]))
      take();
    else
      return false;
    return true;
  }

  const std::string& text_;
  std::size_t at_ = 0;
  base::Location where_, begin_;
};

bool is_unknown(char c) { return (c | 0x20) == 'x' || (c | 0x20) == 'z'; }

// Sets bit `bit` of a port's word, in which data lie below parity.
void set_bit(RamWord& word, int bit, int data_bits, bool value, bool unknown) {
  const RamPlane plane = bit < data_bits ? kData : kParity;
  const int shift = bit < data_bits ? bit : bit - data_bits;
  word[plane].value |= std::uint64_t{value && !unknown} << shift;
  word[plane].unknown |= std::uint64_t{unknown} << shift;
}

RamWord parse_word(const std::string& text, int width, const base::Location& where) {
  RamWord word;
  int bit = 0;
  for (auto c = text.rbegin(); c != text.rend(); ++c) {
    if (*c == '_') continue;
    const int digit = hex_digit(*c);
    const bool unknown = is_unknown(*c);
    if (digit > 15 && !unknown)
      throw base::UserError(where, fmt::format("expected a hexadecimal word, found '{}'", text));
    for (int i = 0; i < 4; ++i, ++bit) {
      const bool one = !unknown && (digit >> i & 1) != 0;
      if (bit < width)
        set_bit(word, bit, plane_bits(width, kData), one, unknown);
      else if (one)
        throw base::UserError(where, fmt::format("'{}' does not fit {} bits, the wider READ_WIDTH", text, width));
    }
  }
  return word;
}

std::uint64_t parse_address(const std::string& text, const base::Location& where) {
  std::uint64_t address = 0;
  bool good = text.size() > 1 && text.size() < 10;
  for (std::size_t i = 1; i < text.size() && good; ++i) {
    const int digit = hex_digit(text[i]);
    good = digit < 16;
    address = address << 4 | static_cast<std::uint64_t>(digit & 15);
  }
  if (!good) throw base::UserError(where, fmt::format("expected @ and a hexadecimal address, found '{}'", text));
  return address;
}

}  // namespace

void read_init_file(const std::string& path, int width, RamCells& cells) {
  const std::string text = base::read_file(path);
  const auto data_bits = static_cast<std::uint64_t>(plane_bits(width, kData));
  const std::uint64_t depth = cells.data_bits() / data_bits;
  const RamMask all{ones(plane_bits(width, kData)), ones(plane_bits(width, kParity))};
  cells.forget();
  Words words(text, path);
  std::uint64_t address = 0;
  for (std::string word = words.next(); !word.empty(); word = words.next()) {
    if (word[0] == '@') {
      address = parse_address(word, words.where());
      continue;
    }
    if (address >= depth)
      throw base::UserError(words.where(),
                            fmt::format("a word at {:#x}, but the block has {} of {} bits", address, depth, width));
    cells.write(address++ * data_bits, width, parse_word(word, width, words.where()), all);
  }
}

}  // namespace fansim::primitives
