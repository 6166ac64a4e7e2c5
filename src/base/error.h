// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fansim::base {

// A place in a user's file, counted from 1. Line 0: the file (or flag) as a whole.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

// "file:line:column: text"; "file: text" without a line; "text" without a file.
std::string at(const Location& where, std::string_view text);

// The user's file or flag is wrong (exit code 2). what() is ready to print.
class UserError : public std::runtime_error {
 public:
  explicit UserError(const std::string& text) : std::runtime_error(text) {}
  UserError(const Location& where, std::string_view text) : std::runtime_error(at(where, text)) {}
};

// The candidate closest to `word` by edit distance (a swap of neighbours counts one); empty if none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'x'?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace fansim::base
