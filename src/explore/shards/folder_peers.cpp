// SPDX-License-Identifier: Apache-2.0
#include "explore/shards/folder_peers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "explore/scorer.h"

namespace fansim::explore::shards {
namespace {

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

// Throws UserError if the folder's file has a point that the space does not have.
Scored scored_of(const Space& space, const Folder& folder, const Found& found) {
  const Box whole = space.whole();
  if (found.point.size() != whole.sides.size() || !whole.contains(found.point))
    throw base::UserError({folder.path(), 0, 0}, "has a point that the space does not have");
  return scored(space, found.point, found.outcome);
}

std::vector<Found> found_of(const std::vector<Scored>& all) {
  std::vector<Found> found;
  for (const Scored& one : all) found.push_back({one.point, one.outcome});
  return found;
}

}  // namespace

FolderPeers::FolderPeers(const Space& space, const Folder& folder, Task task, int tasks,
                         std::function<void()> before_telling)
    : space_(space),
      folder_(folder),
      task_(std::move(task)),
      interval_(std::max(1000, tasks)),
      before_telling_(std::move(before_telling)) {
  task_.host = host_name();
  task_.began = seconds_since_1970();
  tell(Task::State::running);
  listen();
}

void FolderPeers::exchange(const Front& mine, const Counts& counts, double fraction) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + interval_;
  task_.counts.space = counts.space;
  task_.fraction = fraction;
  tell(Task::State::running);
  listen();
  publish(mine.members());
}

void FolderPeers::listen() {
  std::error_code failed;
  const auto changed = std::filesystem::last_write_time(folder_.path() + "/front", failed);
  if (failed || changed == listened_) return;
  // The time stamp has a finite resolution, so a file may arrive without changing it. Everything has been read only
  // once the stamp has stayed the same for longer than that, whatever clock the storage has.
  const auto now = std::chrono::steady_clock::now();
  if (changed != seen_) {
    seen_ = changed;
    seen_since_ = now;
  }
  if (now - seen_since_ > std::chrono::seconds(2)) listened_ = changed;
  for (const Found& found : folder_.news(files_)) known_.add(scored_of(space_, folder_, found));
}

// Publishes the points that no task has found yet.
void FolderPeers::publish(const std::vector<Scored>& mine) {
  std::vector<Found> fresh;
  for (const Scored& member : mine) {
    const auto same = [&](const Scored& other) { return other.goals == member.goals; };
    const std::vector<Scored>& known = known_.members();
    if (known_.rules_out(member.goals) || std::any_of(known.begin(), known.end(), same)) continue;
    fresh.push_back({member.point, member.outcome});
  }
  if (fresh.empty()) return;
  before_telling_();
  int number = 1;
  const auto name = [&] { return fmt::format("{}-{}.json", task_.index, number); };
  while (files_.count(name()) > 0) ++number;
  folder_.publish(task_.index, number, fresh);
  files_.insert(name());
  for (const Found& found : fresh) known_.add(scored_of(space_, folder_, found));
}

void FolderPeers::tell(Task::State state) {
  task_.state = state;
  task_.told = seconds_since_1970();
  folder_.tell(task_);
}

void FolderPeers::finish(const SearchResult& result, std::int64_t layers_simulated) {
  publish(result.front);
  before_telling_();
  task_.layers_simulated = layers_simulated;
  task_.counts = result.counts;
  task_.proven = result.proven;
  task_.front = found_of(result.front);
  task_.failures = found_of(result.failures);
  if (!result.stopped) task_.fraction = 1;
  tell(result.stopped ? Task::State::stopped : Task::State::finished);
}

SearchResult merged(const Space& space, const Folder& folder, const std::vector<Task>& tasks, int of) {
  SearchResult result;
  Front front;
  const auto add = [&](const std::vector<Found>& found) {
    for (const Found& one : found) front.add(scored_of(space, folder, one));
  };
  std::set<std::string> files;
  add(folder.news(files));
  Counts& sum = result.counts;
  int finished = 0;
  result.proven = true;
  for (const Task& task : tasks) {
    add(task.front);
    for (const Found& lost : task.failures) result.failures.push_back(scored_of(space, folder, lost));
    const Counts& counts = task.counts;
    sum.cannot_meet += counts.cannot_meet;
    sum.cannot_win += counts.cannot_win;
    sum.evaluated += counts.evaluated;
    sum.from_store += counts.from_store;
    sum.feasible += counts.feasible;
    sum.infeasible += counts.infeasible;
    sum.misfit += counts.misfit;
    sum.failed += counts.failed;
    finished += task.state == Task::State::finished;
    result.proven = result.proven && task.proven;
  }
  sum.raw = space.raw_count();
  sum.space = space.count();
  result.stopped = finished < of;
  result.proven = result.proven && !result.stopped;
  result.front = front.members();
  return result;
}

}  // namespace fansim::explore::shards
