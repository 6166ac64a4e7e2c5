// SPDX-License-Identifier: Apache-2.0
#include "fuzz/campaign.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <new>
#include <sstream>

#include "base/file.h"
#include "base/interrupt.h"
#include "fuzz/allocations.h"
#include "fuzz/coverage.h"
#include "fuzz/mutator.h"
#include "fuzz/supervised.h"
#include "fuzz/trial.h"

namespace fansim::test {
namespace {

constexpr double kMostSeconds = 10;        // CPU seconds for one file
constexpr std::int64_t kOfChild = 400;     // files that a child takes
constexpr std::int64_t kOfLeaks = 20;      // files of which one is taken again to see what it leaves behind
constexpr std::size_t kMostLeft = 512;     // bytes: names of files that were read are kept
constexpr std::size_t kLongest = 1 << 22;  // bytes of a file
enum Exit { kAll = 0, kFault = 90, kStopped = 91 };
const std::string kErrors = "errors.txt";

// Holds what a child reports.
struct Told {
  std::int64_t number = 0;  // number of the current file
  double began = 0;         // CPU seconds of the child
  std::int64_t files = 0, refused = 0, misfits = 0, interrupted = 0;
  int code = 0;  // exit code of the last file
  std::size_t size = 0;
  char content[kLongest];  // content of that file
  char fault[1000], said[1000];
  std::int64_t kept = 0;
  std::uint8_t ways[kWays];
};

// Holds memory that children share with their parent.
class Shared {
 public:
  Shared() {
    void* memory = ::mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    told_ = new (memory) Told;
  }
  ~Shared() { ::munmap(told_, sizeof(Told)); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  Told& operator*() const { return *told_; }
  Told* operator->() const { return told_; }

 private:
  Told* told_;
};

std::string kept_file(std::int64_t number) { return fmt::format("kept/{}", number); }

template <std::size_t N>
void tell(char (&place)[N], const std::string& text) {
  place[text.copy(place, N - 1)] = '\0';
}

// Processes one file, in a child.
void take(const Target& target, const std::string& content, Told& told) {
  told.size = std::min(content.size(), kLongest);
  std::memcpy(told.content, content.data(), told.size);
  told.began = own_cpu_seconds();
  ++told.number;
  if (::ftruncate(STDERR_FILENO, 0) != 0) told.fault[0] = '\0';
  base::catch_interrupts();
  const Trial trial = attempt(target, content);
  ++told.files;
  told.code = trial.code;
  told.refused += trial.code == 2;
  told.misfits += trial.code == 3;
  told.interrupted += trial.code == 130;
  tell(told.said, trial.said);
  if (!trial.fault.empty()) {
    tell(told.fault, trial.fault);
    ::_exit(kFault);
  }
  if (trial.code == 130) ::_exit(kStopped);
}

// Returns what a file leaves on the heap each time it is read. The file represents many others that are processed
// alike.
std::size_t left_behind(const Target& target, const std::string& content) {
  constexpr int kTimes = 3;
  std::size_t least = std::size_t{1} << 62;
  attempt(target, content);
  for (int i = 0; i < kTimes; ++i) {
    const std::size_t before = live_bytes();
    attempt(target, content);
    least = std::min(least, live_bytes() > before ? live_bytes() - before : 0);
  }
  return least;
}

// Processes the next files in a child: as many as are left and as the time allows.
void take_some(const Target& target, Mutator& mutator, std::uint64_t seed, const Effort& left, Told& told) {
  count_allocations();
  watch_ways(told.ways);
  const std::int64_t first = told.number, count = target.one_each ? 1 : kOfChild;
  for (std::int64_t i = first; i < first + count; ++i) {
    const bool is_seed = left.files > 0;
    if (is_seed ? i - first >= left.files : own_cpu_seconds() > left.cpu_seconds) break;
    base::Random random((seed << 32) + static_cast<std::uint64_t>(i), target.name);
    const std::string content = is_seed                            ? target.seeds[static_cast<std::size_t>(i)]
                                : target.draw && random.chance(50) ? target.draw(random)
                                                                   : mutator.mutant(random);
    took_new_way();
    take(target, content, told);
    if (i % kOfLeaks == 0 && !target.one_each)
      if (const std::size_t bytes = left_behind(target, content); bytes > kMostLeft) {
        tell(told.fault, fmt::format("leaks {} bytes", bytes));
        ::_exit(kFault);
      }
    if (!took_new_way() || is_seed) continue;
    base::write_file(kept_file(told.kept), content);
    ++told.kept;
    mutator.add(content);
  }
}

// Returns the last message of a child that died.
std::string last_words(const End& end) {
  std::istringstream lines(base::read_file(kErrors));
  std::string words;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = std::min(line.find("runtime error: "), line.find("SUMMARY: "));
    if (at != std::string::npos && words.empty()) words = line;
  }
  return end.text() + (words.empty() ? "" : ": " + words);
}

std::string fault_at(const End& end, const Told& told) {
  if (end.hung) return end.text();
  if (WIFEXITED(end.status) && (WEXITSTATUS(end.status) == kAll || WEXITSTATUS(end.status) == kStopped)) return "";
  if (WIFEXITED(end.status) && WEXITSTATUS(end.status) == kFault) return told.fault;
  return last_words(end);
}

// Faults are of one kind if they differ in numbers and quoted words alone.
std::string kind_of(const std::string& fault) {
  std::string kind;
  bool quoted = false;
  for (const char c : fault) {
    if (c == '\'') quoted = !quoted;
    if (!quoted && std::isdigit(static_cast<unsigned char>(c)) == 0) kind += c;
  }
  return kind.substr(0, 120);
}

// Leaves out what the fault does not need.
std::string made_small(const Target& target, const std::string& fault, std::string content) {
  constexpr int kMostTries = 200;
  int tries = 0;
  const std::string kind = kind_of(fault);
  for (std::size_t piece = content.size() / 2; piece > 0; piece /= 2)
    for (std::size_t at = 0; at < content.size() && tries < kMostTries;) {
      std::string smaller = content;
      smaller.erase(at, piece);
      ++tries;
      if (kind_of(tried(target, smaller).fault) == kind)
        content = smaller;
      else
        at += piece;
    }
  return content;
}

}  // namespace

Trial tried(const Target& target, const std::string& content) {
  const Shared told;
  const pid_t child = start(kErrors, [&] {
    count_allocations();
    take(target, content, *told);
  });
  const End end = wait_for_end(child, kMostSeconds, [&] { return Work{told->number, told->began}; });
  return {told->code, fault_at(end, *told), told->said};
}

Tally campaign(const Target& target, std::uint64_t seed, const Effort& effort) {
  const Shared told;
  Tally tally;
  Mutator mutator(target.kind, target.seeds, target.words);
  std::map<std::string, Find> known;  // one of each kind
  while (tally.cpu_seconds < effort.cpu_seconds || told->files < effort.files) {
    const Effort left{effort.cpu_seconds - tally.cpu_seconds, effort.files - told->files};
    const std::int64_t first = told->number, kept = told->kept;
    const pid_t child = start(kErrors, [&] { take_some(target, mutator, seed, left, *told); });
    const End end = wait_for_end(child, kMostSeconds, [&] { return Work{told->number, told->began}; });
    tally.cpu_seconds += end.cpu_seconds;
    const std::string fault = fault_at(end, *told);
    if (!fault.empty()) known.emplace(kind_of(fault), Find{fault, std::string(told->content, told->size)});
    if (told->number == first) break;  // nothing came of it
    for (std::int64_t i = kept; i < told->kept; ++i) mutator.add(base::read_file(kept_file(i)));
  }
  tally.files = told->files;
  tally.refused = told->refused;
  tally.misfits = told->misfits;
  tally.interrupted = told->interrupted;
  tally.kept = told->kept;
  for (const auto& [kind, find] : known)
    tally.finds.push_back({find.fault, made_small(target, find.fault, find.content)});
  return tally;
}

}  // namespace fansim::test
