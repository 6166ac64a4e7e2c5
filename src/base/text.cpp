// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <fmt/format.h>

namespace fansim::base {
namespace {

unsigned byte(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
}

// Returns how many bytes the character at `at` has (RFC 3629), or 0 if no character begins there.
std::size_t character(std::string_view text, std::size_t at) {
  const unsigned first = byte(text, at), second = byte(text, at + 1);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (std::size_t i = 1; i < length; ++i)
    if (byte(text, at + i) >> 6 != 2) return 0;
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0, too_large = first == 0xf4 && second >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

bool is_control(std::string_view text, std::size_t at) {
  const unsigned first = byte(text, at);
  return first < 0x20 || first == 0x7f || (first == 0xc2 && byte(text, at + 1) < 0xa0);
}

// Writes every character that cannot be printed as \xNN, except those of `kept`.
std::string escaped(std::string_view text, std::string_view kept) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character(text, at), taken = length > 0 ? length : 1;
    const bool plain = length > 0 && (!is_control(text, at) || kept.find(text[at]) != std::string_view::npos);
    if (plain) result += text.substr(at, taken);
    for (std::size_t i = 0; !plain && i < taken; ++i) result += fmt::format("\\x{:02x}", byte(text, at + i));
    at += taken;
  }
  return result;
}

std::string replaced(std::string text, char what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, 1, with);
  return text;
}

}  // namespace

std::size_t not_utf8(std::string_view text) {
  for (std::size_t at = 0, length = 0; at < text.size(); at += length)
    if ((length = character(text, at)) == 0) return at;
  return std::string_view::npos;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string printable(std::string_view text) { return escaped(text, "\n\t"); }

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  if (escaped(word, "") == word) return "'" + replaced(word, '\'', "'\\''") + "'";
  // \xNN takes at most two digits, so the text after it stays as it is.
  return "$'" + escaped(replaced(replaced(word, '\\', "\\\\"), '\'', "\\'"), "") + "'";
}

}  // namespace fansim::base
