// SPDX-License-Identifier: Apache-2.0
#include "cli/explore/shards.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "base/console.h"
#include "base/error.h"
#include "base/file.h"
#include "base/output_files.h"
#include "base/text.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "report/table.h"

namespace fansim::cli {
namespace {

using explore::shards::Folder;
using explore::shards::Task;

// A running task reports once a second or, with more than 1,000 tasks, more rarely. A task that has been silent for
// this long has been killed, or its host has.
constexpr double kSilentSeconds = 30;

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string time_text(double seconds) {
  const auto whole = static_cast<long long>(std::llround(seconds));
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

struct Said {
  std::string text;  // standard output and standard error
  bool failed = false;
};

Said said_by(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) line += base::shell_word(word) + " ";
  std::FILE* pipe = ::popen((line + "2>&1").c_str(), "r");
  if (pipe == nullptr) throw base::UserError(fmt::format("explore: --slurm: {} cannot be run", command.front()));
  Said said;
  std::array<char, 256> part{};
  while (const std::size_t read = std::fread(part.data(), 1, part.size(), pipe)) said.text.append(part.data(), read);
  said.failed = ::pclose(pipe) != 0;
  while (!said.text.empty() && std::isspace(static_cast<unsigned char>(said.text.back()))) said.text.pop_back();
  return said;
}

// Returns the id of the job that `sbatch` creates. Throws UserError with the message of `sbatch` if it fails.
std::string job_of(const std::vector<std::string>& command) {
  const Said said = said_by(command);
  // sbatch prints ID or ID;CLUSTER.
  const std::string id = said.text.substr(0, said.text.find(';'));
  if (said.failed || id.empty() || id.find_first_not_of("0123456789") != std::string::npos)
    throw base::UserError(fmt::format("explore: --slurm: sbatch: {}", said.text.empty() ? "failed" : said.text));
  return id;
}

// Throws UserError if the cluster takes no array of so many tasks. If its configuration does not say, sbatch decides.
void check_tasks(int tasks) {
  const std::string key = "MaxArraySize", config = said_by({"scontrol", "show", "config"}).text;
  int size = 0;
  if (const std::size_t at = config.find(key);
      at == std::string::npos || std::sscanf(config.c_str() + at + key.size(), " = %d", &size) != 1 || tasks < size)
    return;
  throw base::UserError(
      size < 2 ? "explore: --slurm: this cluster takes no array jobs: MaxArraySize of its slurm.conf is 0"
               : fmt::format("explore: --slurm: --array {}: this cluster allows 1..{}, less than MaxArraySize of its "
                             "slurm.conf",
                             tasks, size - 1));
}

}  // namespace

explore::shards::Plan plan_of(const ExploreOptions& options, const explore::Identity& identity) {
  explore::shards::Plan plan;
  plan.space = std::filesystem::absolute(options.space);
  plan.network = std::filesystem::absolute(options.network);
  plan.identity = identity;
  plan.tasks = options.share->of;
  plan.seed = options.seed;
  plan.allow_slack = options.allow_slack;
  return plan;
}

int explore_status(const Arguments& arguments) {
  Options options("explore");
  options.value("status", "DIR", "how far the tasks are that share a search");
  if (!options.parse(arguments)) return kDone;
  const Folder folder(options.text("status"));
  const explore::shards::Plan plan = folder.plan();
  // The age of a report is taken from the storage's clock, because hosts' clocks may differ. If nothing may be written
  // there, the local clock is used.
  const double now = folder.now().value_or(seconds_since_1970());
  int running = 0, silent = 0, stopped = 0, finished = 0;
  double done = 0, left = 0, first = now;
  report::Table table(3);
  table.row({"task", "state", "host", "done %", "time", "left"});
  table.rule();
  for (int i = 1; i <= plan.tasks; ++i) {
    const std::optional<Task> task = folder.task(i);
    if (!task) continue;
    const double told = folder.told(i), worked = task->told - task->began;
    done += task->fraction;
    first = std::min(first, told - worked);
    if (task->state == Task::State::finished) {
      ++finished;
      continue;
    }
    const bool stops = task->state == Task::State::stopped, quiet = !stops && now - told > kSilentSeconds;
    ++(stops ? stopped : quiet ? silent : running);
    const double took = worked + (stops || quiet ? 0 : std::max(0.0, now - told));
    const double to_go = task->fraction > 0 ? took * (1 - task->fraction) / task->fraction : 0;
    if (!stops && !quiet) left = std::max(left, to_go);
    table.row({std::to_string(i),
               stops   ? "stopped"
               : quiet ? "silent"
                       : "running",
               base::printable(task->host), fmt::format("{:.1f}", 100 * task->fraction), time_text(took),
               to_go > 0 ? time_text(to_go) : ""});
  }
  const int waiting = plan.tasks - running - silent - stopped - finished;
  base::print_text(
      fmt::format("{}: {:.1f} % of {} tasks; {} finished, {} running, {} stopped, {} silent, {} waiting; "
                  "{} since the first began{}\n",
                  folder.path(), 100 * done / plan.tasks, plan.tasks, finished, running, stopped, silent, waiting,
                  time_text(now - first), left > 0 && waiting == 0 ? ", about " + time_text(left) + " to go" : ""));
  if (running + silent + stopped > 0) base::print_text(table.text());
  if (silent > 0)
    base::print_text(
        fmt::format("silent: nothing told for {:.0f} s, so killed or cut off; begun again, a task goes on "
                    "where it was\n",
                    kSilentSeconds));
  return kDone;
}

int submit(const ExploreOptions& options) {
  const SlurmOptions& slurm = *options.slurm;
  check_tasks(slurm.tasks);
  const std::string folder = std::filesystem::absolute(options.folder);
  const std::string program = base::shell_word(std::filesystem::read_symlink("/proc/self/exe"));
  const auto word = [](const std::string& path) { return base::shell_word(std::filesystem::absolute(path)); };
  base::prepare_folder(folder + "/log", {});
  std::string asked;
  if (!slurm.partition.empty()) asked += "#SBATCH --partition=" + slurm.partition + "\n";
  if (!slurm.time.empty()) asked += "#SBATCH --time=" + slurm.time + "\n";
  const std::string tasks = folder + "/tasks.sh", merge = folder + "/merge.sh";
  base::write_file(
      tasks,
      fmt::format("#!/bin/sh\n"
                  "#SBATCH --job-name=fansim\n#SBATCH --array=1-{0}\n#SBATCH --cpus-per-task={1}\n"
                  "#SBATCH --requeue --open-mode=append\n{2}"
                  "exec {3} explore {4} {5} --shard \"$SLURM_ARRAY_TASK_ID/{0}\" --dir {6} --jobs {1} --seed {7}{8}\n",
                  slurm.tasks, options.jobs, asked, program, word(options.space), word(options.network),
                  base::shell_word(folder), options.seed, options.allow_slack ? " --allow-slack" : ""));
  base::write_file(merge,
                   fmt::format("#!/bin/sh\n#SBATCH --job-name=fansim-merge\n{0}"
                               "exec {1} explore merge {2} --json {3} --csv {4} --html {5}\n",
                               asked, program, base::shell_word(folder), base::shell_word(folder + "/front.json"),
                               base::shell_word(folder + "/front.csv"), base::shell_word(folder + "/front.html")));
  const auto sbatch = [&](const std::vector<std::string>& more, const std::string& log, const std::string& script) {
    std::vector<std::string> command{"sbatch", "--parsable", "--chdir", folder, "--output", folder + "/log/" + log};
    command.insert(command.end(), more.begin(), more.end());
    command.push_back(script);
    return job_of(command);
  };
  const std::string job = sbatch({}, "%a.txt", tasks);
  const std::string last = sbatch({"--dependency=afterany:" + job}, "merge.txt", merge);
  base::print(
      "job {} of {} tasks, then job {} merges them into {}/front.json, .csv and .html\n"
      "fansim explore --status {}\n",
      job, slurm.tasks, last, folder, base::shell_word(options.folder));
  return kDone;
}

}  // namespace fansim::cli
