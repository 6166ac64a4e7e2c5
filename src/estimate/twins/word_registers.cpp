// SPDX-License-Identifier: Apache-2.0
#include "estimate/twins/word_registers.h"

#include "base/units.h"

namespace fansim::estimate {
namespace {

constexpr int kShortest = 3;   // the shortest shift register, in stages
constexpr int kOfOneLut = 32;  // longest shift register of one LUT (SRLC32E)

}  // namespace

int WordRegisters::add(const Word& word) {
  words_.push_back(word);
  return static_cast<int>(words_.size()) - 1;
}

int WordRegisters::computed(const std::vector<int>& from) { return add({from, true, false, -1, 0}); }

int WordRegisters::logic(const std::vector<int>& from) { return add({from, false, false, -1, 0}); }

int WordRegisters::delayed(int word, int edges) {
  for (int i = 0; i < edges; ++i) {
    int next = words_[static_cast<std::size_t>(word)].next;
    if (next < 0) {
      next = add({{word}, true, true, -1, 0});
      words_[static_cast<std::size_t>(word)].next = next;
    }
    word = next;
  }
  return word;
}

WordRegisters::Use WordRegisters::chain(int length) {
  if (length < kShortest) return {length, 0, 0};
  return {0, base::ceil_div(length, kOfOneLut), 0};
}

WordRegisters::Use WordRegisters::use() const {
  // Each word comes after those from which it is made.
  std::vector<int> readers(words_.size());
  std::vector<bool> live(words_.size());
  for (std::size_t i = words_.size(); i-- > 0;) {
    const Word& word = words_[i];
    readers[i] += word.readers;
    live[i] = readers[i] > 0 || (word.next >= 0 && live[static_cast<std::size_t>(word.next)]);
    if (!live[i] || word.is_delay) continue;
    for (const int from : word.from) ++readers[static_cast<std::size_t>(from)];
  }
  Use total;
  std::vector<int> length(words_.size());
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const Word& word = words_[i];
    if (live[i] && word.from.size() > 1) ++total.choices;
    if (!live[i] || !word.is_register) continue;
    const int before = word.is_delay ? word.from.front() : -1;
    const bool handed_on = before >= 0 && readers[static_cast<std::size_t>(before)] == 0;
    length[i] = 1 + (handed_on ? length[static_cast<std::size_t>(before)] : 0);
    const bool goes_on = readers[i] == 0 && word.next >= 0 && live[static_cast<std::size_t>(word.next)];
    if (goes_on) continue;
    const Use one = chain(length[i]);
    total.ff += one.ff;
    total.srl += one.srl;
  }
  return total;
}

}  // namespace fansim::estimate
