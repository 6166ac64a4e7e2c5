// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>

#include "explore/shards/folder.h"

namespace fansim::explore::shards {

// The other tasks, by way of the folder: once a second, of more than 1,000 tasks once in so many thousandths of their
// number.
class FolderPeers final : public Peers {
 public:
  // `before_telling` is called before a word of this task is in the folder. UserError if the folder is not to be read.
  FolderPeers(const Space& space, const Folder& folder, Task task, int tasks, std::function<void()> before_telling);

  void exchange(const Front& mine, const Counts& counts, double fraction) override;
  bool rules_out(const std::vector<double>& best) const override { return known_.rules_out(best); }
  // The last word of this task.
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
  // The time stamp of front/ that was seen last, since when, and the one of which all is known.
  std::filesystem::file_time_type seen_, listened_;
  std::chrono::steady_clock::time_point seen_since_;
  std::set<std::string> files_;  // of front/ that are known
  Front known_;                  // of all tasks
};

// What tasks have found together; proven and whole once all of them have.
SearchResult merged(const Space& space, const Folder& folder, const std::vector<Task>& tasks, int of);

}  // namespace fansim::explore::shards
