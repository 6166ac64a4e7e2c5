// SPDX-License-Identifier: Apache-2.0
#include "importer/plain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/file.h"

namespace fansim::importer {

std::string read_plain_text(const std::string& path) {
  constexpr std::size_t kLargestFile = std::size_t{2} << 20, kLongestLine = 4096;
  std::string text = base::read_file(path, kLargestFile);
  int line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end - begin > kLongestLine)
      throw base::UserError(base::Location{path, line, 1},
                            fmt::format("a line of {} characters; allowed: {}", end - begin, kLongestLine));
    begin = end + 1;
  }
  return text;
}

std::string shown(const std::string& text) {
  constexpr std::size_t kShown = 40;
  return text.size() > kShown ? text.substr(0, kShown) + "..." : text;
}

std::string lower(const std::string& text) {
  std::string small;
  for (const unsigned char c : text) small += static_cast<char>(std::tolower(c));
  return small;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

int read_extent(const std::string& text, const std::string& what, const base::Location& where, int most) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || value < 1 || value > most)
    throw base::UserError(where, fmt::format("{}: expected an integer 1..{}, found {}", what, most,
                                             text.empty() ? "nothing" : "'" + shown(text) + "'"));
  return value;
}

std::string FileNames::unique(const std::string& text, const std::string& fallback) {
  std::string name;
  for (const unsigned char c : text) name += std::isalnum(c) != 0 || c == '-' || c == '.' ? static_cast<char>(c) : '_';
  constexpr std::size_t kLongest = 60;
  name.erase(0, std::min(name.find_first_not_of("._-"), name.size()));
  if (name.size() > kLongest) name.resize(kLongest);
  if (name.empty() || name == "input") name = fallback;
  const auto [first, is_new] = given_.insert({name, 1});
  if (is_new) return name;
  std::string unique;
  do unique = fmt::format("{}_{}", name, ++first->second);
  while (!given_.insert({unique, 1}).second);
  return unique;
}

}  // namespace fansim::importer
