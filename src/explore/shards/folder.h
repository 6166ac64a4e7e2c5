// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explore/search.h"

namespace fansim::explore::shards {

// Holds what all tasks of one search must agree on.
struct Plan {
  std::string space, network;  // paths of files
  Identity identity;
  int tasks = 1;
  std::uint64_t seed = 1;
  bool allow_slack = false;  // said on the command line
};

// Holds a point and its outcome.
struct Found {
  Point point;
  Outcome outcome;
};

// Holds how far a task is and what it has found, at the time of its last report.
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

// Represents the folder that the tasks of one search share, on storage that all of them see. Each file is written by
// one task only, and appears only when it is complete:
//   plan.json         what is searched, written by the first task
//   task-I/store.db   results of task I
//   task-I/told.json  how far task I is
//   front/I-K.json    the K-th time that task I found points that no task had found before
// Each task has a folder of its own, because storage does the renames within one folder one after another.
class Folder {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  // Creates the folder, or joins the tasks that have created it. Throws UserError if they search something else or in
  // another number of shares.
  void join(const Plan& plan) const;
  // Throws UserError if there is no such folder.
  Plan plan() const;
  // Returns where the task keeps its results; makes the folder for it.
  std::string store(int task) const;

  void tell(const Task& task) const;
  std::optional<Task> task(int index) const;  // nothing: it has not begun
  // Return seconds since 1970 by the clock of the storage, which may differ from every host's clock. now() is the
  // present time; it returns nothing if this process may not write there. told() is when the task last reported.
  std::optional<double> now() const;
  double told(int index) const;

  void publish(int task, int number, const std::vector<Found>& found) const;
  // Reads the files of front/ that are not yet in `known`, and adds them to it.
  std::vector<Found> news(std::set<std::string>& known) const;

 private:
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::string of_task(int task, const char* name) const;
  std::string path_;
};

}  // namespace fansim::explore::shards
