// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutator.h"

#include <algorithm>
#include <utility>

#include "fuzz/pieces.h"

namespace fansim::test {
namespace {

constexpr std::size_t kLongest = std::size_t{1} << 17;  // length of a mutant, unless a seed is longer
constexpr int kMostChanges = 6;

}  // namespace

Mutator::Mutator(Kind kind, std::vector<std::string> seeds, std::vector<std::string> words)
    : kind_(kind), seeds_(std::move(seeds)), given_(seeds_.size()), words_(std::move(words)) {}

void Mutator::add(const std::string& seed) { seeds_.push_back(seed); }

const std::string& Mutator::any_seed(base::Random& random) const {
  return seeds_[any_place((random.chance(50) ? given_ : seeds_.size()) - 1, random)];
}

std::string Mutator::mutant(base::Random& random) const {
  std::string file = any_seed(random);
  const std::size_t most = std::max(kLongest, file.size());
  for (int changes = random.chance(50) ? 1 : random.uniform(2, kMostChanges); changes > 0; --changes)
    change(file, random);
  if (file.size() > most) file.resize(most);
  return file;
}

void Mutator::change(std::string& file, base::Random& random) const {
  if (kind_ == Kind::bytes || random.chance(5)) {
    change_bytes(file, any_seed(random), random);
  } else if (random.chance(20)) {
    change_lines(file, any_seed(random), random);
  } else {
    change_text(file, random);
  }
}

// A word becomes another, or a number; or something stands before it that nobody expects.
void Mutator::change_text(std::string& text, base::Random& random) const {
  const std::vector<Piece> words = words_of(text);
  if (words.empty()) {
    change_bytes(text, any_seed(random), random);
    return;
  }
  const Piece piece = words[any_place(words.size() - 1, random)];
  const std::string old = text.substr(piece.at, piece.size);
  const int kind = random.uniform(0, 9);
  if (kind == 0) {
    text.insert(piece.at, surprise(random));
  } else if (kind == 1) {
    text.replace(piece.at, piece.size, surprise(random));
  } else if (kind < 8 && is_number(old)) {
    text.replace(piece.at, piece.size, other_number(old, random));
  } else {
    text.replace(piece.at, piece.size, word(random));
  }
}

std::string Mutator::word(base::Random& random) const {
  if (!words_.empty() && random.chance(40)) return words_[any_place(words_.size() - 1, random)];
  const std::string& seed = any_seed(random);
  const std::vector<Piece> words = words_of(seed);
  if (words.empty()) return surprise(random);
  const Piece piece = words[any_place(words.size() - 1, random)];
  return seed.substr(piece.at, piece.size);
}

}  // namespace fansim::test
