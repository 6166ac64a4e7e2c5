// SPDX-License-Identifier: Apache-2.0
#include "fuzz/pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace fansim::test {
namespace {

template <class T, std::size_t N>
const T& any_of(const T (&all)[N], base::Random& random) {
  return all[static_cast<std::size_t>(random.uniform(0, static_cast<int>(N) - 1))];
}

// Draws a number for places where formats have counts, extents and offsets.
std::uint64_t any_count(base::Random& random) {
  if (random.chance(30)) return random.next() >> random.uniform(0, 63);
  const std::uint64_t edge = std::uint64_t{1} << random.uniform(0, 63);
  return edge + static_cast<std::uint64_t>(random.uniform(-1, 1));
}

void overwrite(std::string& file, base::Random& random) {
  const std::size_t bytes = std::size_t{1} << random.uniform(0, 3);
  if (file.size() < bytes) return;
  const std::size_t at = any_place(file.size() - bytes, random);
  const std::uint64_t count = any_count(random);
  const bool highest_first = random.chance(50);
  for (std::size_t i = 0; i < bytes; ++i)
    file[at + i] = static_cast<char>(count >> (8 * (highest_first ? bytes - 1 - i : i)));
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

std::size_t any_place(std::size_t size, base::Random& random) {
  return static_cast<std::size_t>(random.uniform(0, static_cast<int>(size)));
}

Piece any_piece(const std::string& file, base::Random& random) {
  const std::size_t at = any_place(file.size(), random);
  const std::size_t most = std::min(file.size() - at, std::size_t{1} << random.uniform(0, 10));
  return {at, any_place(most, random)};
}

std::vector<Piece> lines_of(const std::string& text) {
  std::vector<Piece> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back({at, end - at});
    at = end;
  }
  return lines;
}

std::vector<Piece> words_of(const std::string& text) {
  const auto belongs = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("_.+-/%", c); };
  std::vector<Piece> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && text[end] != '\0' && belongs(text[end])) ++end;
    if (end > at) words.push_back({at, end - at});
    at = end + 1;
  }
  return words;
}

bool is_number(const std::string& word) {
  char* end = nullptr;
  std::strtod(word.c_str(), &end);
  return !word.empty() && *end == '\0';
}

void change_bytes(std::string& file, const std::string& other, base::Random& random) {
  const Piece piece = any_piece(file, random);
  switch (random.uniform(0, 7)) {
    case 0:
      file.erase(piece.at, piece.size);
      break;
    case 1:
      file.insert(any_place(file.size(), random), file.substr(piece.at, piece.size));
      break;
    case 2: {
      const Piece theirs = any_piece(other, random);
      file.replace(piece.at, random.chance(50) ? piece.size : 0, other, theirs.at, theirs.size);
      break;
    }
    case 3:
      if (random.chance(30)) file.resize(any_place(file.size(), random));
      break;
    case 4:
    case 5:
      overwrite(file, random);
      break;
    default:
      if (!file.empty()) file[any_place(file.size() - 1, random)] = static_cast<char>(random.uniform(0, 255));
  }
}

void change_lines(std::string& text, const std::string& other, base::Random& random) {
  const std::vector<Piece> lines = lines_of(text);
  if (lines.empty()) return;
  const auto any_line = [&random](const std::vector<Piece>& of) { return of[any_place(of.size() - 1, random)]; };
  const Piece line = any_line(lines), second = any_line(lines);
  const std::string content = text.substr(line.at, line.size);
  switch (random.uniform(0, 5)) {
    case 0:
      text.erase(line.at, line.size);
      break;
    case 1:
      text.insert(second.at, content);
      break;
    case 2:
      if (line.at < second.at) {
        const std::string behind = text.substr(second.at, second.size);
        text.replace(second.at, second.size, content);
        text.replace(line.at, line.size, behind);
      }
      break;
    case 3:
      text.insert(line.at, std::string(static_cast<std::size_t>(random.uniform(1, 4)), ' '));
      break;
    case 4:
      if (text[line.at] == ' ') text.erase(line.at, std::min<std::size_t>(content.find_first_not_of(' '), 2));
      break;
    default:
      if (const std::vector<Piece> theirs = lines_of(other); !theirs.empty()) {
        const Piece piece = any_line(theirs);
        text.insert(second.at, other, piece.at, piece.size);
      }
  }
}

std::string other_number(const std::string& word, base::Random& random) {
  const double value = std::strtod(word.c_str(), nullptr);
  switch (random.uniform(0, 7)) {
    case 0:
      return fmt::format("{}", value + random.uniform(-2, 2));
    case 1:
      return fmt::format("{}", value * random.uniform(2, 16));
    case 2:
      return fmt::format("{}", -value);
    case 3:
      return fmt::format("{}", value * 0.5);
    case 4:
      return word + repeated(any_of({"0", "9", ".", "e9"}, random), random.uniform(1, 20));
    case 5:
      return fmt::format("{}", static_cast<std::int64_t>(any_count(random)));
    case 6:
      return std::to_string(std::int64_t{1} << random.uniform(0, 24));
    default:
      return std::to_string(random.uniform(0, 9));
  }
}

std::string surprise(base::Random& random) {
  constexpr const char* kTexts[] = {"0",
                                    "-1",
                                    "1",
                                    "2147483647",
                                    "-2147483648",
                                    "2147483648",
                                    "4294967296",
                                    "1e308",
                                    "-1e308",
                                    "1e-308",
                                    "nan",
                                    ".nan",
                                    "inf",
                                    "-.inf",
                                    "1/0",
                                    "0x",
                                    "0xffffffff",
                                    "1e",
                                    "9223372036854775807",
                                    "9223372036854775808",
                                    "-0",
                                    "true",
                                    "no",
                                    "null",
                                    "~",
                                    "[]",
                                    "{}",
                                    "''",
                                    "\"\\0\"",
                                    "&a [*a]",
                                    "*a",
                                    "<<: *a",
                                    "!!binary x",
                                    "---",
                                    "...",
                                    "@",
                                    "a: b: c",
                                    "[1, 2]",
                                    "{a: 1}",
                                    "0.1",
                                    "1000000",
                                    "65536",
                                    "../x",
                                    "/dev/null",
                                    "-",
                                    "",
                                    "\r\n",
                                    "\t",
                                    "#"};
  constexpr const char* kBytes[] = {"\xff",    "\xc3\x28",    "\xed\xa0\x80", "\xef\xbb\xbf", "\xf4\x90\x80\x80",
                                    "\x1b[2J", "\xe2\x80\xae"};
  constexpr const char* kNests[] = {"[", "{a: ", "(", "- ", "{\"a\":", "not ", "-"};
  if (random.chance(80)) return any_of(kTexts, random);
  if (random.chance(40)) return any_of(kBytes, random);
  if (random.chance(20)) return std::string(1, '\0');
  return repeated(any_of(kNests, random), 1 << random.uniform(3, 14));
}

}  // namespace fansim::test
