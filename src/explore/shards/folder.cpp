// SPDX-License-Identifier: Apache-2.0
#include "explore/shards/folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "explore/outcome_text.h"

namespace fansim::explore::shards {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* kStates[] = {"running", "stopped", "finished"};
constexpr int kFormat = 1;
constexpr int kMostTasks = 100'000;  // as `--shard` takes

[[noreturn]] void refuse(const json& value) { throw json::other_error::create(500, "no such value", &value); }

// A whole number of [lo, hi]; json by itself makes one of whatever it finds.
std::int64_t whole_of(const json& value, std::int64_t lo, std::int64_t hi) {
  const bool fits = value.is_number_unsigned() ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(hi)
                                               : value.is_number_integer() && value.get<std::int64_t>() <= hi;
  if (!fits || value.get<std::int64_t>() < lo) refuse(value);
  return value.get<std::int64_t>();
}

double number_of(const json& value, double hi) {
  if (!value.is_number() || !(value.get<double>() >= 0 && value.get<double>() <= hi)) refuse(value);
  return value.get<double>();
}

constexpr std::int64_t kMostCounted = std::int64_t{1} << 46;  // all tasks' together are no more than 2^63
constexpr double kLatest = 1e11;                              // seconds since 1970
void count_of(const json& value, double& count) { count = number_of(value, std::numeric_limits<double>::max()); }
void count_of(const json& value, std::int64_t& count) { count = whole_of(value, 0, kMostCounted); }

Point point_of(const json& indices) {
  Point point;
  for (const json& index : indices)
    point.push_back(static_cast<int>(whole_of(index, 0, std::numeric_limits<int>::max())));
  return point;
}

// The numbers of Counts by name.
template <class C, class F>
void each_count(C& counts, F&& f) {
  f("points", counts.space), f("cannot_meet", counts.cannot_meet), f("cannot_win", counts.cannot_win);
  f("evaluated", counts.evaluated), f("from_store", counts.from_store), f("feasible", counts.feasible);
  f("infeasible", counts.infeasible), f("misfit", counts.misfit), f("failed", counts.failed);
}

json json_of(const std::vector<Found>& found) {
  json all = json::array();
  for (const Found& one : found) all.push_back({{"point", one.point}, {"outcome", to_text(one.outcome)}});
  return all;
}

std::vector<Found> found_of(const json& all) {
  std::vector<Found> found;
  for (const json& one : all) {
    const std::optional<Outcome> outcome = outcome_of(one.at("outcome"));
    if (!outcome) refuse(one);
    found.push_back({point_of(one.at("point")), *outcome});
  }
  return found;
}

// What `read` makes of the file. UserError if it is not what this program writes.
template <class Read>
auto read_json(const std::string& path, Read&& read) {
  const std::string text = base::read_file(path);
  try {
    return read(json::parse(text));
  } catch (const json::exception&) {
    throw base::UserError({path, 0, 0}, "is no file of a shared search");
  }
}

void write_json(const std::string& path, const json& content) { base::write_file(path, content.dump(1) + "\n"); }

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw base::UserError({path, 0, 0}, fmt::format("{}: {}", what, std::strerror(errno)));
}

}  // namespace

void Folder::join(const Plan& plan) const {
  std::error_code failed;
  fs::create_directories(file("front"), failed);
  if (failed) throw base::UserError({path_, 0, 0}, failed.message());
  // Whole, or not there; and nobody's is replaced.
  const std::string mine = file(fmt::format(".plan-{}-{}", plan.identity.size(), ::getpid()));
  write_json(mine, {{"format", kFormat},
                    {"space", plan.space},
                    {"network", plan.network},
                    {"identity", plan.identity},
                    {"tasks", plan.tasks},
                    {"seed", plan.seed}});
  const int linked = ::link(mine.c_str(), file("plan.json").c_str());
  const int error = errno;
  ::unlink(mine.c_str());
  errno = error;
  if (linked != 0 && errno != EEXIST) fail(file("plan.json"), "cannot be made");
  const Plan theirs = this->plan();
  const std::string at = file("plan.json");
  if (theirs.tasks != plan.tasks)
    throw base::UserError({at, 0, 0}, fmt::format("is divided among {} tasks, not {}", theirs.tasks, plan.tasks));
  if (theirs.seed != plan.seed)
    throw base::UserError({at, 0, 0}, fmt::format("has the seed {}, not {}", theirs.seed, plan.seed));
  if (theirs.identity != plan.identity)
    throw base::UserError({at, 0, 0}, "is of another space, configuration, network or build of the program");
}

Plan Folder::plan() const {
  const std::string at = file("plan.json");
  return read_json(at, [&](const json& content) {
    if (content.at("format") != kFormat)
      throw base::UserError({at, 0, 0},
                            fmt::format("has format {}; this program's is {}", content.at("format").dump(), kFormat));
    const json& seed = content.at("seed");
    if (!seed.is_number_unsigned()) refuse(seed);
    return Plan{content.at("space"), content.at("network"), content.at("identity"),
                static_cast<int>(whole_of(content.at("tasks"), 1, kMostTasks)), seed};
  });
}

std::string Folder::store(int task) const { return file(fmt::format("store-{}.db", task)); }

void Folder::tell(const Task& task) const {
  json content = {{"task", task.index},
                  {"state", kStates[static_cast<std::size_t>(task.state)]},
                  {"fraction", task.fraction},
                  {"front", json_of(task.front)},
                  {"failures", json_of(task.failures)},
                  {"proven", task.proven},
                  {"layers_simulated", task.layers_simulated},
                  {"host", task.host},
                  {"began", task.began},
                  {"told", task.told}};
  each_count(task.counts, [&](const char* name, const auto& count) { content["counts"][name] = count; });
  write_json(file(fmt::format("task-{}.json", task.index)), content);
}

std::optional<Task> Folder::task(int index) const {
  const std::string at = file(fmt::format("task-{}.json", index));
  if (!fs::exists(at)) return std::nullopt;
  return read_json(at, [&](const json& content) {
    Task task;
    task.index = index;
    const std::string state = content.at("state");
    while (state != kStates[static_cast<std::size_t>(task.state)]) {
      if (task.state == Task::State::finished) throw base::UserError({at, 0, 0}, "state '" + state + "' unknown");
      task.state = static_cast<Task::State>(static_cast<int>(task.state) + 1);
    }
    task.fraction = number_of(content.at("fraction"), 1);
    task.front = found_of(content.at("front")), task.failures = found_of(content.at("failures"));
    task.proven = content.at("proven"), task.host = content.at("host");
    task.layers_simulated = whole_of(content.at("layers_simulated"), 0, kMostCounted);
    task.began = number_of(content.at("began"), kLatest), task.told = number_of(content.at("told"), kLatest);
    each_count(task.counts, [&](const char* name, auto& count) { count_of(content.at("counts").at(name), count); });
    return task;
  });
}

void Folder::publish(int task, int number, const std::vector<Found>& found) const {
  write_json(file(fmt::format("front/{}-{}.json", task, number)), json_of(found));
}

std::vector<Found> Folder::news(std::set<std::string>& known) const {
  std::vector<Found> news;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(file("front"), failed)) {
    const std::string name = entry.path().filename();
    // What is being written has another name.
    if (entry.path().extension() != ".json" || name.front() == '.' || !known.insert(name).second) continue;
    for (Found& one : read_json(entry.path(), found_of)) news.push_back(std::move(one));
  }
  return news;
}

}  // namespace fansim::explore::shards
