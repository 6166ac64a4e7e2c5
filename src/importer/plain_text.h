// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"

// This file holds what the readers of tables and settings share. They treat their files as hostile.
namespace fansim::importer {

constexpr int kLargestExtent = 1 << 20;

// Throws UserError if the file cannot be read, is larger than 2 MiB, or has a line of more than 4096 characters.
std::string read_plain_text(const std::string& path);

// shown() shortens a user's words for messages and tables.
std::string shown(const std::string& text);
std::string lower(const std::string& text);
std::string listed(const std::vector<std::string>& words);  // "a, b, c"

// Reads an integer in 1..most. Throws UserError at `where` that names `what`.
int read_extent(const std::string& text, const std::string& what, const base::Location& where,
                int most = kLargestExtent);

// Gives out file names that stay in their folder, each name once.
class FileNames {
 public:
  // Returns at most 60 characters of the text, with a number if the name was given before.
  std::string unique(const std::string& text, const std::string& fallback);

 private:
  std::map<std::string, int> given_;  // name -> the number last appended to it
};

}  // namespace fansim::importer
