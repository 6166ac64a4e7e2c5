// SPDX-License-Identifier: Apache-2.0
#include "inject/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/build_id.h"
#include "base/error.h"
#include "base/text.h"
#include "explore/store.h"
#include "inject/crew.h"
#include "inject/draw.h"
#include "inject/result_text.h"
#include "inject/subject.h"
#include "inject/worker.h"

namespace fansim::inject {
namespace {

using explore::Store;

Campaign named(const Subject& subject, runs::Engine engine) {
  Campaign campaign;
  campaign.config_name = subject.accelerator().config().name;
  campaign.config_hash = subject.accelerator().config().hash;
  campaign.network_name = subject.network().name;
  campaign.network_hash = subject.network().hash;
  campaign.engine = runs::name(engine);
  campaign.cycles = subject.cycles();
  campaign.places = subject.places();
  return campaign;
}

// Lists everything that a result depends on except its number.
explore::Identity identity(const Request& request, const Campaign& campaign) {
  return {{explore::kBuild, base::build_id()},
          {"configuration", campaign.config_hash},
          {"network", campaign.network_hash},
          {"engine", campaign.engine},
          {"seed of the tensors", std::to_string(request.run.seed)},
          {"input", request.run.input},
          {"--seed", std::to_string(request.seed)},
          {"--kind", kWhats[static_cast<std::size_t>(request.what)].second},
          {"--at", base::joined(request.at)},
          {"--each", request.each ? "yes" : "no"}};
}

// Holds the results of a campaign, and knows which of them the file had already.
class Results {
 public:
  Results(const Request& request, Campaign& campaign) : campaign_(campaign), known_(campaign.faults.size()) {
    campaign_.results.resize(campaign_.faults.size());
    if (request.resume.empty()) return;
    store_ = std::make_unique<Store>(request.resume, identity(request, campaign));
    for (std::size_t i = 0; i < known_.size(); ++i) {
      const auto text = store_->find(Store::Table::points, std::to_string(i));
      const auto known = text ? result_of(*text) : std::nullopt;
      if (!known) continue;
      campaign_.results[i] = *known;
      known_[i] = true;
      ++count_;
    }
    store_.reset();  // workers must be forked while there is only one thread
  }

  void open(const Request& request) {
    if (!request.resume.empty()) store_ = std::make_unique<Store>(request.resume, identity(request, campaign_));
  }

  std::vector<Task> missing() const {
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < known_.size(); ++i)
      if (!known_[i]) tasks.push_back({static_cast<int>(i), campaign_.faults[i]});
    return tasks;
  }

  // Takes a line "NUMBER RESULT" of a worker.
  void hear(const std::string& line) {
    const std::size_t space = line.find(' ');
    const std::size_t number = std::stoul(line.substr(0, space));
    const std::string text = line.substr(space + 1);
    campaign_.results.at(number) = result_of(text).value();
    known_[number] = true;
    ++count_;
    if (store_) store_->put(Store::Table::points, std::to_string(number), text);
  }

  double fraction() const { return static_cast<double>(count_) / static_cast<double>(known_.size()); }
  void flush() {
    if (store_) store_->flush();
  }

 private:
  Campaign& campaign_;
  std::vector<bool> known_;
  std::size_t count_ = 0;
  std::unique_ptr<Store> store_;
};

// Returns every `workers`-th task, so that the cycles of each worker's tasks are spread alike.
std::vector<Task> share(const std::vector<Task>& tasks, int worker, int workers) {
  std::vector<Task> share;
  for (std::size_t i = static_cast<std::size_t>(worker); i < tasks.size(); i += static_cast<std::size_t>(workers))
    share.push_back(tasks[i]);
  return share;
}

void check_engine(const Request& request, const std::vector<PlaceBits>& places) {
  if (request.run.engine == runs::Engine::clocked) return;
  const bool memory = places.size() == 1 && places.front().name == contract::Fault::kMemory;
  if (request.what != What::flips || !memory)
    throw base::UserError(fmt::format("inject: --engine fast knows flips of {} alone", contract::Fault::kMemory));
}

}  // namespace

Campaign survey(const runs::Request& run) { return named(Subject(run), run.engine); }

Campaign run_campaign(const Request& request) {
  const Subject subject(request.run);
  Campaign campaign = named(subject, request.run.engine);
  campaign.places = request.what == What::protocol ? std::vector<PlaceBits>() : chosen(request, subject.places());
  check_engine(request, campaign.places);
  campaign.faults = draw(request, campaign.places, subject.protocol(), subject.cycles());
  Results results(request, campaign);
  const std::vector<Task> tasks = results.missing();
  const int workers = std::min(request.jobs, static_cast<int>(tasks.size()));
  const auto work = [&](int worker, const Say& say) {
    const auto done = [&say](int number, const Result& result) { say(fmt::format("{} {}", number, text_of(result))); };
    const std::vector<Task> its = share(tasks, worker, workers);
    if (request.run.engine == runs::Engine::clocked)
      run_clocked(subject, its, request.to_the_end, done);
    else
      run_fast(subject, its, done);
  };
  try {
    work_together(
        workers, work,
        [&](const std::string& line) {
          results.hear(line);
          if (request.on_progress) request.on_progress(results.fraction());
        },
        [&] { results.open(request); });
  } catch (...) {
    results.flush();
    throw;
  }
  results.flush();
  return campaign;
}

}  // namespace fansim::inject
