// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace fansim::estimate {

// Finds the registers that synthesis keeps. It keeps one of two registers that hold the same word, it removes registers
// that nothing reads, and three or more in a row that nothing else reads become a shift register.
class WordRegisters {
 public:
  // Adds a register behind logic that reads words of this netlist or others.
  int computed(const std::vector<int>& from);
  // Adds logic without a register.
  int logic(const std::vector<int>& from);
  int delayed(int word, int edges);
  // Marks a word that is read from outside.
  void read(int word) { words_[static_cast<std::size_t>(word)].readers = 1; }

  struct Use {
    int ff = 0, srl = 0;
    int choices = 0;  // logic that reads more than one word
  };
  Use use() const;  // per bit of the words

  // Returns a chain of `length` registers.
  static Use chain(int length);

 private:
  struct Word {
    std::vector<int> from;
    bool is_register = true, is_delay = false;
    int next = -1;  // the same word one edge later
    int readers = 0;
  };
  int add(const Word& word);

  std::vector<Word> words_;
};

}  // namespace fansim::estimate
