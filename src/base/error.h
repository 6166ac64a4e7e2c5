// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fansim::base {

// A place in a user's file. Lines and columns count from 1; line 0 stands for the file (or option) as a whole.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

// Returns "file:line:column: text", "file: text" if there is no line, or "text" if there is no file.
std::string at(const Location& where, std::string_view text);

// Thrown when the user's file or option is wrong (exit code 2). what() is ready to print.
class UserError : public std::runtime_error {
 public:
  explicit UserError(const std::string& text) : std::runtime_error(text) {}
  UserError(const Location& where, std::string_view text) : std::runtime_error(at(where, text)) {}
};

// Returns the candidate that is closest to `word` by edit distance, in which a swap of neighbours counts one. The
// result is empty if none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// Returns "; did you mean 'x'?", or nothing if no candidate is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace fansim::base
