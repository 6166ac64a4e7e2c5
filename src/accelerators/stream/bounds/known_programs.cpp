// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/bounds/known_programs.h"

#include <fmt/format.h>

#include <utility>

#include "accelerators/layer_times.h"
#include "accelerators/stream/bounds/layer_time.h"
#include "accelerators/stream/bounds/roofline.h"
#include "accelerators/stream/compile/compile.h"

namespace fansim::stream {

namespace {

KnownProgram::Least least_of(const TimedProgram& program, const Config& config) {
  return {least_cycles(program.script, config, false), least_cycles(program.script, config, true)};
}

}  // namespace

KnownProgram::KnownProgram(const contract::Program& whole, const Config& config)
    : steps(steps_of(whole)), program(timed_program(whole, config)), largest_write(program->script.largest_write) {}

base::Cycles KnownProgram::least(const Config& config) const {
  std::call_once(asked_, [&] {
    if (program) least_ = least_of(*program, config);
  });
  return least_[config.array.reloads() ? 1 : 0];
}

KnownPrograms::Known KnownPrograms::of(const Config& config, const std::string& by, const network::Network& network,
                                       int layer) {
  const std::string key = fmt::format("{} ", layer) + by;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = programs_.find(key);
    if (found != programs_.end()) return found->second;
  }
  // A program says its layer's multiply-accumulates too.
  const std::string macs = fmt::format(" {} ", network.layers[static_cast<std::size_t>(layer)].macs());
  std::string cut;
  Known same;
  const KnownCut is_known = [&](const std::string& bytes) {
    cut = cut_key(config) + macs + bytes;
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = cuts_.find(cut);
    if (found != cuts_.end()) same = found->second;
    return same != nullptr;
  };
  auto fresh = accelerators::program_of(network, layer, config, is_known);
  if (const auto* refusal = std::get_if<std::string>(&fresh))
    return keep(key, "", std::make_shared<const KnownProgram>(*refusal));
  if (same) return keep(key, "", same);
  const auto whole = std::make_shared<const KnownProgram>(std::get<contract::Program>(fresh), config);
  if (takes(whole->program->script.bytes())) return keep(key, cut, whole);
  keep(key, cut, std::make_shared<const KnownProgram>(*whole, least_of(*whole->program, config)));
  return whole;
}

bool KnownPrograms::takes(std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (bytes_kept_ + bytes > most_bytes_) return false;
  bytes_kept_ += bytes;
  return true;
}

KnownPrograms::Known KnownPrograms::keep(const std::string& key, const std::string& cut, const Known& program) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!cut.empty()) cuts_.emplace(cut, program);
  return programs_.emplace(key, program).first->second;
}

}  // namespace fansim::stream
