// SPDX-License-Identifier: Apache-2.0
#include "estimate/block_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

namespace fansim::estimate {
namespace {

using base::Location;
using base::UserError;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

// Splits at all that is no letter or digit, between letters and digits, and before a capital behind a small letter.
std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words;
  char last = '_';
  for (const char c : name) {
    const bool letter = is_letter(c), digit = is_digit(c);
    const bool goes_on = letter ? is_letter(last) && (!is_upper(c) || is_upper(last)) : digit && is_digit(last);
    if (letter || digit) {
      if (!goes_on) words.emplace_back();
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    last = c;
  }
  return words;
}

// Says whether a word is added to a name behind its end: a number, a letter, or a tool's word.
bool is_added(const std::string& word) {
  static const std::set<std::string> kAdded{"inst", "parameterized"};
  return word.size() == 1 || is_digit(word[0]) || kAdded.count(word) > 0;
}

BlockMapping mapping_of(const std::string& text, const Location& where, const std::vector<std::string>& blocks) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw UserError(where, fmt::format("expected block=instance, found '{}'", text));
  BlockMapping mapping{text.substr(0, equals), {}, text, base::at(where, "")};
  if (std::find(blocks.begin(), blocks.end(), mapping.block) == blocks.end())
    throw UserError(where, fmt::format("the configuration has no block '{}'{}; its blocks are {}", mapping.block,
                                       base::did_you_mean(mapping.block, blocks), base::joined(blocks)));
  std::istringstream parts(text.substr(equals + 1));
  for (std::string part; std::getline(parts, part, '/');)
    if (!part.empty()) mapping.path.push_back(part);
  if (mapping.path.empty()) throw UserError(where, fmt::format("expected block=instance, found '{}'", text));
  return mapping;
}

void read_file(const std::string& file, const std::vector<std::string>& blocks, std::vector<BlockMapping>& mappings) {
  std::istringstream lines(base::read_file(file));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t from = line.find_first_not_of(" \t\r");
    if (from == std::string::npos || line[from] == '#') continue;
    const std::string word = line.substr(from, line.find_last_not_of(" \t\r") + 1 - from);
    mappings.push_back(mapping_of(word, {file, number, static_cast<int>(from) + 1}, blocks));
  }
}

}  // namespace

std::string core_of_name(const std::string& name) {
  std::vector<std::string> words = words_of(name);
  while (words.size() > 1 && is_added(words.back())) words.pop_back();
  static const std::set<std::string> kPrefixes{"u", "i", "inst"};
  if (words.size() > 1 && kPrefixes.count(words[0]) > 0) words.erase(words.begin());
  std::string core;
  for (const std::string& word : words) core += word;
  return core;
}

std::vector<BlockMapping> read_block_mappings(const std::vector<std::string>& words,
                                              const std::vector<std::string>& blocks) {
  std::vector<BlockMapping> mappings;
  for (const std::string& word : words) {
    if (word.find('=') == std::string::npos)
      read_file(word, blocks, mappings);
    else
      mappings.push_back(mapping_of(word, {"--map", 0, 0}, blocks));
  }
  return mappings;
}

bool names_instance(const BlockMapping& mapping, const std::vector<const Instance*>& from_top) {
  const std::size_t length = mapping.path.size();
  if (length > from_top.size()) return false;
  for (std::size_t i = 0; i < length; ++i) {
    const Instance& instance = *from_top[from_top.size() - length + i];
    if (mapping.path[i] != instance.name && mapping.path[i] != instance.module) return false;
  }
  return true;
}

}  // namespace fansim::estimate
