// SPDX-License-Identifier: Apache-2.0
#include "explore/shards/folder.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/output_files.h"
#include "base/part.h"
#include "base/temporary_folder.h"
#include "explore/outcome_text.h"

namespace fansim::explore::shards {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* kStates[] = {"running", "stopped", "finished"};
constexpr int kFormat = 3;
constexpr const char* kTold = "told.json";

[[noreturn]] void refuse(const json& value) { throw json::other_error::create(500, "no such value", &value); }

// Reads an integer within [lo, hi]. The JSON library alone would convert any number to an integer.
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

constexpr std::int64_t kMostCounted = std::int64_t{1} << 46;  // the counts of all tasks together stay below 2^63
constexpr double kLatest = 1e11;                              // seconds since 1970
void count_of(const json& value, double& count) { count = number_of(value, std::numeric_limits<double>::max()); }
void count_of(const json& value, std::int64_t& count) { count = whole_of(value, 0, kMostCounted); }

// Whether the point exists is checked where the space is known.
Point point_of(const json& indices) {
  using Index = std::numeric_limits<int>;
  Point point;
  for (const json& index : indices) point.push_back(static_cast<int>(whole_of(index, Index::min(), Index::max())));
  return point;
}

// Visits the numbers of Counts by name.
template <class C, class F>
void each_count(C& counts, F&& f) {
  f("points", counts.space);
  f("cannot_meet", counts.cannot_meet);
  f("cannot_win", counts.cannot_win);
  f("evaluated", counts.evaluated);
  f("from_store", counts.from_store);
  f("feasible", counts.feasible);
  f("infeasible", counts.infeasible);
  f("misfit", counts.misfit);
  f("failed", counts.failed);
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

// Returns what `read` makes of the file. Throws UserError if the file is not what this program writes.
template <class Read>
auto read_json(const std::string& path, Read&& read) {
  const std::string text = base::read_file(path);
  try {
    return read(json::parse(text));
  } catch (const json::exception&) {
    throw base::UserError({path, 0, 0}, "is no file of a shared search");
  }
}

std::string text_of(const json& content) { return content.dump(1) + "\n"; }
void write_json(const std::string& path, const json& content) { base::write_file(path, text_of(content)); }

void make_folder(const std::string& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (failed) throw base::UserError({path, 0, 0}, failed.message());
}

// Returns when the file was last modified, in seconds since 1970.
std::optional<double> changed(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return std::nullopt;
  constexpr double kNanoseconds = 1e-9;
  return static_cast<double>(facts.st_mtim.tv_sec) + kNanoseconds * static_cast<double>(facts.st_mtim.tv_nsec);
}

Identity identity_of(const json& content) {
  Identity identity;
  for (const auto& [name, value] : content.items()) identity.emplace_back(name, value);
  return identity;
}

}  // namespace

void Folder::join(const Plan& plan) const {
  make_folder(file("front"));
  const std::string at = file("plan.json");
  if (!base::exists(at)) {
    base::OutputFile mine(at);
    mine.write(text_of({{"format", kFormat},
                        {"space", plan.space},
                        {"network", plan.network},
                        {"identity", std::map<std::string, std::string>(plan.identity.begin(), plan.identity.end())},
                        {"tasks", plan.tasks},
                        {"seed", plan.seed},
                        {"allow_slack", plan.allow_slack}}));
    mine.keep_if_none();
  }
  const Plan theirs = this->plan();
  if (theirs.tasks != plan.tasks)
    throw base::UserError({at, 0, 0}, fmt::format("is divided among {} tasks, not {}", theirs.tasks, plan.tasks));
  if (theirs.seed != plan.seed)
    throw base::UserError({at, 0, 0}, fmt::format("has the seed {}, not {}", theirs.seed, plan.seed));
  const std::string other = difference(theirs.identity, plan.identity);
  if (!other.empty()) throw base::UserError({at, 0, 0}, "is of " + other);
}

Plan Folder::plan() const {
  const std::string at = file("plan.json");
  return read_json(at, [&](const json& content) {
    if (content.at("format") != kFormat)
      throw base::UserError({at, 0, 0},
                            fmt::format("has format {}, so is of another build; this one's is {}: name another folder, "
                                        "or go on with the build that made it",
                                        content.at("format").dump(), kFormat));
    const json& seed = content.at("seed");
    if (!seed.is_number_unsigned()) refuse(seed);
    return Plan{content.at("space"),
                content.at("network"),
                identity_of(content.at("identity")),
                static_cast<int>(whole_of(content.at("tasks"), 1, base::Part::kMost)),
                seed,
                content.at("allow_slack").get<bool>()};
  });
}

std::string Folder::of_task(int task, const char* name) const { return file(fmt::format("task-{}/{}", task, name)); }

std::string Folder::store(int task) const {
  make_folder(file(fmt::format("task-{}", task)));
  return of_task(task, "store.db");
}

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
  make_folder(file(fmt::format("task-{}", task.index)));
  write_json(of_task(task.index, kTold), content);
}

std::optional<Task> Folder::task(int index) const {
  const std::string at = of_task(index, kTold);
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
    task.front = found_of(content.at("front"));
    task.failures = found_of(content.at("failures"));
    task.proven = content.at("proven");
    task.host = content.at("host");
    task.layers_simulated = whole_of(content.at("layers_simulated"), 0, kMostCounted);
    task.began = number_of(content.at("began"), kLatest);
    task.told = number_of(content.at("told"), kLatest);
    each_count(task.counts, [&](const char* name, auto& count) { count_of(content.at("counts").at(name), count); });
    return task;
  });
}

std::optional<double> Folder::now() const {
  try {
    const base::TemporaryFolder probe(file("now"));
    return changed(probe.path());
  } catch (const base::UserError&) {
    return std::nullopt;
  }
}

double Folder::told(int index) const { return changed(of_task(index, kTold)).value_or(0); }

void Folder::publish(int task, int number, const std::vector<Found>& found) const {
  write_json(file(fmt::format("front/{}-{}.json", task, number)), json_of(found));
}

std::vector<Found> Folder::news(std::set<std::string>& known) const {
  std::vector<Found> news;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(file("front"), failed)) {
    const std::string name = entry.path().filename();
    // Files that are still being written have other names.
    if (entry.path().extension() != ".json" || name.front() == '.' || !known.insert(name).second) continue;
    for (Found& one : read_json(entry.path(), found_of)) news.push_back(std::move(one));
  }
  return news;
}

}  // namespace fansim::explore::shards
