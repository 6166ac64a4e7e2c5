// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/random.h"

namespace fansim::test {

// Makes files that are almost right out of files that are right.
class Mutator {
 public:
  enum class Kind { text, bytes };

  // `words`: what a word of a text may become, beside the seeds' own words and numbers that no reader expects.
  Mutator(Kind kind, std::vector<std::string> seeds, std::vector<std::string> words = {});

  std::string mutant(base::Random& random) const;
  // What half of the mutants are made of, too: most that is added is refused, and what is made of it.
  void add(const std::string& seed);
  const std::vector<std::string>& seeds() const { return seeds_; }

 private:
  const std::string& any_seed(base::Random& random) const;
  void change(std::string& file, base::Random& random) const;
  void change_text(std::string& text, base::Random& random) const;
  std::string word(base::Random& random) const;

  const Kind kind_;
  std::vector<std::string> seeds_;
  const std::size_t given_;  // of them
  const std::vector<std::string> words_;
};

}  // namespace fansim::test
