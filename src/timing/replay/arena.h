// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace fansim::timing {

// Provides memory for words that are written once, never move and are all given back together.
template <class Word>
class Arena {
 public:
  Word* allocate(std::size_t count) {
    if (static_cast<std::size_t>(end_ - next_) < count) {
      const std::size_t size = std::max(kChunkBytes / sizeof(Word), count);
      chunks_.emplace_back(new Word[size]);
      next_ = chunks_.back().get();
      end_ = next_ + size;
    }
    return std::exchange(next_, next_ + count);
  }

 private:
  static constexpr std::size_t kChunkBytes = 1 << 14;

  std::vector<std::unique_ptr<Word[]>> chunks_;
  Word *next_ = nullptr, *end_ = nullptr;
};

}  // namespace fansim::timing
