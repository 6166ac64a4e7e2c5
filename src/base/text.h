// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fansim::base {

// Returns where the first byte stands that is not UTF-8, or npos if all of the text is UTF-8.
std::size_t not_utf8(std::string_view text);

// Writes control characters and bytes that are not UTF-8 as \xNN, because a terminal obeys control characters. Line
// ends and tabs stay.
std::string printable(std::string_view text);

// Returns the word in a form that a shell reads back as the same word and that can be printed. It uses bash's $'...'
// where quotes do not suffice.
std::string shell_word(const std::string& word);

// Returns "a, b, c".
std::string joined(const std::vector<std::string>& words);

}  // namespace fansim::base
