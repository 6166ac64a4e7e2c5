// SPDX-License-Identifier: Apache-2.0
// Measures what the tasks of a large search cost in addition to searching. One process on one thread plays all tasks
// (scripts/cluster_scale.py).
//   shards_bench tasks DIR FINDS   DIR is a task's shared folder. All other tasks of its plan join; they report once
//   without
//                                  new points, once while FINDS of them have found something, once when all have, and
//                                  finish
//   shards_bench store FILE POINTS writes the rows of FILE, a real store, again under other keys until it has POINTS
//   rows
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include "base/error.h"
#include "count.h"
#include "explore/scorer.h"
#include "explore/shards/folder_peers.h"
#include "explore/space.h"

using namespace fansim;
using namespace fansim::explore;

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMost = 100'000'000;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

double peak_mb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

class Tasks {
 public:
  explicit Tasks(const std::string& path)
      : folder_(path), plan_(folder_.plan()), space_(load_space(plan_.space)), first_(*folder_.task(1)) {}

  void play(int finds) {
    measure("join", [&](int i) {
      shards::Task task;
      task.index = i;
      peers_.push_back(std::make_unique<shards::FolderPeers>(space_, folder_, task, plan_.tasks, [] {}));
    });
    round("tell, nothing new", 0);
    round(fmt::format("tell, {} of them with a find", finds), finds);
    round(fmt::format("tell, all read the {} finds", finds), 0);
    SearchResult result;
    for (const shards::Found& found : first_.front) result.front.push_back(scored(space_, found.point, found.outcome));
    result.counts = first_.counts;
    result.counts.evaluated = result.counts.feasible = 100'000;
    result.proven = true;
    measure("finish", [&](int i) { peers_[static_cast<std::size_t>(i - 2)]->finish(result, 300); });
  }

 private:
  template <class Work>
  void measure(const std::string& what, const Work& work) {
    const Clock::time_point begin = Clock::now();
    for (int i = 2; i <= plan_.tasks; ++i) work(i);
    const double seconds = seconds_since(begin);
    fmt::print("{}: {} tasks in {:.2f} s, {:.0f} us each\n", what, plan_.tasks - 1, seconds,
               1e6 * seconds / (plan_.tasks - 1));
  }

  // Every task reports once; the first `finds` of them find something that is better than everything before.
  void round(const std::string& what, int finds) {
    if (rounds_++ > 0) std::this_thread::sleep_for(std::chrono::milliseconds(std::max(1000, plan_.tasks)));
    const Front none;
    measure(what, [&](int i) {
      Front better;
      if (i - 2 < finds && !first_.front.empty()) {
        shards::Found found = first_.front.front();
        of(found.outcome.metrics, Metric::latency_ms) -= 1e-6 * (i - 1);
        better.add(scored(space_, found.point, found.outcome));
      }
      peers_[static_cast<std::size_t>(i - 2)]->exchange(i - 2 < finds ? better : none, {}, 0.5);
    });
  }

  const shards::Folder folder_;
  const shards::Plan plan_;
  const Space space_;
  const shards::Task first_;
  std::vector<std::unique_ptr<shards::FolderPeers>> peers_;
  int rounds_ = 0;
};

Identity identity_in(const std::string& path) {
  Identity identity;
  Database(path).query("SELECT key, value FROM fansim_explore WHERE key != 'format'", {},
                       [&](const Database::Columns& row) { identity.emplace_back(row[0], row[1]); });
  return identity;
}

void grow(const std::string& path, std::size_t points) {
  using Table = Store::Table;
  const Identity identity = identity_in(path);
  std::vector<Database::Columns> rows[2];
  for (const Table table : {Table::points, Table::memo})
    Database(path).query(fmt::format("SELECT key, value FROM {}", table == Table::points ? "points" : "memo"), {},
                         [&](const Database::Columns& row) { rows[static_cast<std::size_t>(table)].push_back(row); });
  Clock::time_point begin = Clock::now();
  {
    Store store(path, identity, Database::Users::one);
    for (int copy = 1; store.size(Table::points) < points; ++copy)
      for (const Table table : {Table::points, Table::memo})
        for (const Database::Columns& row : rows[static_cast<std::size_t>(table)])
          store.put(table, fmt::format("{} #{}", row[0], copy), row[1]);
    store.flush();
  }
  const double kept = seconds_since(begin);
  begin = Clock::now();
  const Store store(path, identity, Database::Users::one);
  fmt::print("store: {} points, {} layers, {:.1f} MB; kept in {:.1f} s, opened in {:.2f} s, {:.0f} MB of memory\n",
             store.size(Table::points), store.size(Table::memo),
             static_cast<double>(std::filesystem::file_size(path)) / 1e6, kept, seconds_since(begin), peak_mb());
}

}  // namespace

int main(int argc, char* argv[]) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto count = words.size() == 3 ? bench::count_of(words[2], kMost) : std::nullopt;
  if (!count || (words[0] != "tasks" && words[0] != "store")) {
    fmt::print(stderr, "shards_bench tasks DIR FINDS | store FILE POINTS, 1..{}\n", kMost);
    return 2;
  }
  try {
    if (words[0] == "tasks")
      Tasks(words[1]).play(*count);
    else
      grow(words[1], static_cast<std::size_t>(*count));
  } catch (const base::UserError& error) {
    fmt::print(stderr, "shards_bench: {}\n", error.what());
    return 2;
  }
  return 0;
}
