// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/bounds/known_programs.h"

#include <fmt/format.h>

#include "accelerators/layer_times.h"
#include "accelerators/stream/bounds/layer_time.h"
#include "accelerators/stream/bounds/roofline.h"
#include "accelerators/stream/compile/compile.h"

namespace fansim::stream {

namespace {

KnownProgram::Least least_of(const contract::Program& program, const Config& config) {
  return {least_cycles(program, config, false), least_cycles(program, config, true)};
}

}  // namespace

KnownProgram::KnownProgram(std::shared_ptr<const contract::Program> whole)
    : steps(steps_of(*whole)), program(std::move(whole)) {}

base::Cycles KnownProgram::least(const Config& config) const {
  std::call_once(asked_, [&] {
    if (program) least_ = least_of(*program, config);
  });
  return least_[config.array.reloads() ? 1 : 0];
}

std::shared_ptr<const KnownProgram> KnownPrograms::of(const Config& config, const network::Network& network,
                                                      int layer) {
  const std::string key = fmt::format("{} ", layer) + program_key(config);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = programs_.find(key);
    if (found != programs_.end()) return found->second;
  }
  auto fresh = accelerators::program_of(network, layer, config);
  if (const auto* refusal = std::get_if<std::string>(&fresh)) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return programs_.emplace(key, std::make_shared<const KnownProgram>(*refusal)).first->second;
  }
  const auto known = std::make_shared<const KnownProgram>(
      std::make_shared<const contract::Program>(std::get<contract::Program>(std::move(fresh))));
  const contract::Program& program = *known->program;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (steps_kept_ + program.ops.size() <= most_steps_) {
      if (programs_.emplace(key, known).second) steps_kept_ += program.ops.size();
      return known;
    }
  }
  const auto without = std::make_shared<const KnownProgram>(known->steps, least_of(program, config));
  const std::lock_guard<std::mutex> lock(mutex_);
  programs_.emplace(key, without);
  return known;
}

}  // namespace fansim::stream
