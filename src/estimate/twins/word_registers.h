// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace fansim::estimate {

// What registers synthesis leaves of those that words pass: of two that hold the same one stays, those that nothing
// reads go, and three or more that hand a word on unread are a shift register.
class WordRegisters {
 public:
  // A register behind logic, of words of this netlist or of others.
  int computed(const std::vector<int>& from);
  // Logic alone.
  int logic(const std::vector<int>& from);
  int delayed(int word, int edges);
  // Something outside reads it.
  void read(int word) { words_[static_cast<std::size_t>(word)].readers = 1; }

  struct Use {
    int ff = 0, srl = 0;
    int choices = 0;  // logic of more than one word
  };
  Use use() const;  // of a bit of every word

  // So many registers one behind the other.
  static Use chain(int length);

 private:
  struct Word {
    std::vector<int> from;
    bool is_register = true, is_delay = false;
    int next = -1;  // the word an edge later
    int readers = 0;
  };
  int add(const Word& word);

  std::vector<Word> words_;
};

}  // namespace fansim::estimate
