// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explore/search.h"

namespace fansim::explore::shards {

// What the tasks of one search agree on.
struct Plan {
  std::string space, network;  // files
  Identity identity;
  int tasks = 1;
  std::uint64_t seed = 1;
};

// A point and what became of it.
struct Found {
  Point point;
  Outcome outcome;
};

// How far a task is and what it has found, as of when it last told.
struct Task {
  enum class State { running, stopped, finished };
  int index = 0;
  State state = State::running;
  double fraction = 0;
  Counts counts;
  std::vector<Found> front, failures;
  bool proven = false;
  std::int64_t layers_simulated = 0;
  std::string host;
  double began = 0, told = 0;  // seconds since 1970, by the host's clock
};

// The folder that the tasks of one search share, on storage that all of them see. A file is written by one task alone
// and is whole whenever it is there:
//   plan.json         what is searched, by whoever comes first
//   task-I/store.db   results of task I
//   task-I/told.json  how far task I is
//   front/I-K.json    the K-th time that task I found what no task had
// A folder for each task: what thousands rename in one folder they rename one after the other.
class Folder {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  // Makes the folder, or joins those who have. UserError if they search something else, or in other shares.
  void join(const Plan& plan) const;
  // UserError if the folder is none.
  Plan plan() const;
  // Where the task keeps results, in a folder that is made.
  std::string store(int task) const;

  void tell(const Task& task) const;
  std::optional<Task> task(int index) const;  // none: it has not begun
  // Seconds since 1970 by the clock of the storage, which may not be any host's: now, as far as this process may write
  // there, and when the task last told.
  std::optional<double> now() const;
  double told(int index) const;

  void publish(int task, int number, const std::vector<Found>& found) const;
  // The files of front/ that are not in `known`, which has them then.
  std::vector<Found> news(std::set<std::string>& known) const;

 private:
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::string of_task(int task, const char* name) const;
  std::string path_;
};

}  // namespace fansim::explore::shards
