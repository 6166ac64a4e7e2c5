// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fansim::base {

// Where the first byte stands that is not UTF-8; npos: all of it is.
std::size_t not_utf8(std::string_view text);

// Control characters and bytes that are not UTF-8 as \xNN; line ends and tabs stay. A terminal obeys what it is sent.
std::string printable(std::string_view text);

// A word as a shell takes it back, and printable: bash's $'...' where a quoted word would not be.
std::string shell_word(const std::string& word);

// "a, b, c".
std::string joined(const std::vector<std::string>& words);

}  // namespace fansim::base
