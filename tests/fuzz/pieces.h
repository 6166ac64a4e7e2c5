// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/random.h"

// Parts of a file, and changes of any of them.
namespace fansim::test {

struct Piece {
  std::size_t at = 0, size = 0;
};

std::size_t any_place(std::size_t size, base::Random& random);   // in [0, size]
Piece any_piece(const std::string& file, base::Random& random);  // short ones more often

std::vector<Piece> lines_of(const std::string& text);  // each with its end
std::vector<Piece> words_of(const std::string& text);  // words of letters, digits and the characters of numbers and
                                                       // keys
bool is_number(const std::string& word);

// One change of the file's bytes: a byte, a number of up to eight of them, a piece cut, doubled, or taken from `other`.
void change_bytes(std::string& file, const std::string& other, base::Random& random);
// One change of the lines: cut, doubled, swapped, moved in or out, or taken from `other`.
void change_lines(std::string& text, const std::string& other, base::Random& random);
// Returns a number that is near to `word`, or far from it.
std::string other_number(const std::string& word, base::Random& random);
// Returns something that texts do not expect: a number beyond any type, a malformed number, nested brackets, or bytes
// that are no text.
std::string surprise(base::Random& random);

}  // namespace fansim::test
