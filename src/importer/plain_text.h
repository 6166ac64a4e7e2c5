// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"

// What readers of tables and settings share. Their files are taken for hostile.
namespace fansim::importer {

constexpr int kLargestExtent = 1 << 20;

// UserError if the file cannot be read, has more than 2 MiB or a line of more than 4096 characters.
std::string read_plain_text(const std::string& path);

// A user's words as messages and tables show them, however long.
std::string shown(const std::string& text);
std::string lower(const std::string& text);
std::string listed(const std::vector<std::string>& words);  // "a, b, c"

// An integer 1..most. UserError at `where` that names `what`.
int read_extent(const std::string& text, const std::string& what, const base::Location& where,
                int most = kLargestExtent);

// Names of files that stay in their folder, each given once.
class FileNames {
 public:
  // At most 60 characters of the text, and a number where it was given before.
  std::string unique(const std::string& text, const std::string& fallback);

 private:
  std::map<std::string, int> given_;  // and the number tried last behind each
};

}  // namespace fansim::importer
