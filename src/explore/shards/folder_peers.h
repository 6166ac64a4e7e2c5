// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>

#include "explore/shards/folder.h"

namespace fansim::explore::shards {

// Exchanges points with the other tasks through the folder: once a second or, with more than 1,000 tasks, once in a
// number of milliseconds that equals the number of tasks.
class FolderPeers final : public Peers {
 public:
  // `before_telling` is called each time before this task's findings are written to the folder. Throws UserError if the
  // folder cannot be read.
  FolderPeers(const Space& space, const Folder& folder, Task task, int tasks, std::function<void()> before_telling);

  void exchange(const Front& mine, const Counts& counts, double fraction) override;
  bool rules_out(const std::vector<double>& best) const override { return known_.rules_out(best); }
  // Writes the final report of this task.
  void finish(const SearchResult& result, std::int64_t layers_simulated);

 private:
  void listen();
  void publish(const std::vector<Scored>& mine);
  void tell(Task::State state);

  const Space& space_;
  const Folder& folder_;
  Task task_;
  const std::chrono::milliseconds interval_;
  std::function<void()> before_telling_;
  std::chrono::steady_clock::time_point next_;
  // `seen_` is the time stamp of front/ that was seen last, `seen_since_` the time since when it has not changed, and
  // `listened_` the stamp up to which everything has been read.
  std::filesystem::file_time_type seen_, listened_;
  std::chrono::steady_clock::time_point seen_since_;
  std::set<std::string> files_;  // files of front/ that have been read
  Front known_;                  // over all tasks
};

// Combines what the tasks have found. The result counts as proven and complete once all `of` tasks have finished.
SearchResult merged(const Space& space, const Folder& folder, const std::vector<Task>& tasks, int of);

}  // namespace fansim::explore::shards
