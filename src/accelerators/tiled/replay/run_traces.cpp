// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/replay/run_traces.h"

#include <cstring>

namespace fansim::tiled {

namespace {

// Items that a path tells apart have different words.
std::uint64_t word_of(bool ends_tile) { return ends_tile ? 1 : 0; }
std::uint64_t word_of(const RunBurst& burst) {
  static_assert(sizeof burst == sizeof(std::uint64_t));
  std::uint64_t word = 0;
  std::memcpy(&word, &burst, sizeof word);
  return word;
}
std::uint64_t word_of(const Decoding& run) {
  if (!run.scattered) return 0;
  return static_cast<std::uint64_t>(run.values) << 16 | static_cast<std::uint64_t>(run.skip) << 1 | 1U;
}
std::uint64_t word_of(const ExtentBeats::Extent& run) {
  return static_cast<std::uint64_t>(run.beats) << 1 | word_of(run.ends_tile);
}

// Three counts of 16 bits in a word; a trace with more words than they hold is too long for a table.
struct Counts {
  static Counts of(std::uint64_t word) { return {word & 0xFFFF, word >> 16 & 0xFFFF, word >> 32}; }
  std::uint64_t word() const { return first | second << 16 | third << 32; }

  std::size_t first, second, third;
};

template <class T>
void add(const timing::Intake<T>& items, std::vector<std::uint64_t>& words) {
  for (std::size_t i = 0; i < items.taken(); ++i) words.push_back(word_of(items.taken(i)));
}

// Whether these items come next.
template <class T>
bool come(const timing::Intake<T>& items, const std::uint64_t* words, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (word_of(items.next(i)) != words[i]) return false;
  return true;
}

}  // namespace

void ReadTrace::take(ReadRuns& runs, std::vector<std::uint64_t>& words) {
  const Counts counts{runs.bursts.taken(), runs.issues.taken(), runs.decodings.taken()};
  if (counts.word() == 0) return;
  words.push_back(counts.word());
  add(runs.bursts, words);
  add(runs.issues, words);
  add(runs.decodings, words);
  runs.release();
}

bool ReadTrace::again(ReadRuns& runs, const std::uint64_t* words) {
  const Counts counts = Counts::of(*words++);
  if (!come(runs.bursts, words, counts.first)) return false;
  words += counts.first;
  if (!come(runs.issues, words, counts.second) || !come(runs.decodings, words + counts.second, counts.third))
    return false;
  runs.bursts.drop(counts.first);
  runs.issues.drop(counts.second);
  runs.decodings.drop(counts.third);
  return true;
}

// The last word has the beats of a run that was not taken whole.
void WriteTrace::take(WriteRuns& runs, std::vector<std::uint64_t>& words) {
  const timing::Intake<ExtentBeats::Extent>& whole = runs.to_encode.runs();
  const Counts counts{runs.bursts.taken(), runs.issues.taken(), whole.taken()};
  if (counts.word() == 0 && runs.to_encode.taken_beats() == 0) return;
  words.push_back(counts.word());
  add(runs.bursts, words);
  add(runs.issues, words);
  add(whole, words);
  words.push_back(static_cast<std::uint64_t>(runs.to_encode.taken_beats()));
  runs.release();
}

bool WriteTrace::again(WriteRuns& runs, const std::uint64_t* words) {
  const Counts counts = Counts::of(*words++);
  if (!come(runs.bursts, words, counts.first)) return false;
  words += counts.first;
  const timing::Intake<ExtentBeats::Extent>& whole = runs.to_encode.runs();
  if (!come(runs.issues, words, counts.second) || !come(whole, words + counts.second, counts.third)) return false;
  const auto beats = static_cast<int>(words[counts.second + counts.third]);
  if (beats > 0 && whole.next(counts.third).beats <= beats) return false;
  runs.bursts.drop(counts.first);
  runs.issues.drop(counts.second);
  runs.to_encode.drop(counts.third, beats);
  return true;
}

}  // namespace fansim::tiled
