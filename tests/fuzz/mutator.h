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

  // `words` are what a word of a text may become, besides the seeds' own words and numbers that no reader expects.
  Mutator(Kind kind, std::vector<std::string> seeds, std::vector<std::string> words = {});

  std::string mutant(base::Random& random) const;
  // Adds a file that half of the mutants may also be based on. The rest use the given seeds only, because most added
  // files are refused, and so are mutants of them.
  void add(const std::string& seed);
  const std::vector<std::string>& seeds() const { return seeds_; }

 private:
  const std::string& any_seed(base::Random& random) const;
  void change(std::string& file, base::Random& random) const;
  void change_text(std::string& text, base::Random& random) const;
  std::string word(base::Random& random) const;

  const Kind kind_;
  std::vector<std::string> seeds_;
  const std::size_t given_;  // number of given seeds
  const std::vector<std::string> words_;
};

}  // namespace fansim::test
