// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/bounds/program_cache.h"

#include "accelerators/layer_key.h"
#include "accelerators/layer_times.h"
#include "accelerators/stream/bounds/layer_time.h"
#include "accelerators/stream/bounds/roofline.h"
#include "accelerators/stream/compile/compile.h"

namespace fansim::stream {

namespace {

CachedProgram::Least least_of(const TimedProgram& program, const Config& config) {
  return {least_cycles(program.trace, config, false), least_cycles(program.trace, config, true)};
}

}  // namespace

CachedProgram::CachedProgram(TimedProgram timed)
    : steps(steps_of(timed.trace)), program(std::move(timed)), largest_write(program->trace.largest_write) {}

base::Cycles CachedProgram::least(const Config& config) const {
  std::call_once(asked_, [&] {
    if (program) least_ = least_of(*program, config);
  });
  return least_[config.array.reloads() ? 1 : 0];
}

ProgramCache::Program ProgramCache::of(const Config& config, const std::string& by, const network::Network& network,
                                       int layer) {
  const auto index = static_cast<std::size_t>(layer);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Program>& programs = programs_[by];
    programs.resize(network.layers.size());
    if (programs[index]) return programs[index];
  }
  std::string uncut, cut;  // keys of what the compiler asks about
  Program same;
  const auto finds = [&](std::string& asked, const std::string& of_config) {
    return [&, of_config](const std::string& bytes) {
      accelerators::KeyBytes key;
      key.add(of_config);
      key.add(network.layers[index].macs());  // the program contains them too
      key.bytes(bytes);
      asked = key.digest();
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto found = cuts_.find(asked);
      if (found != cuts_.end()) same = found->second;
      return same != nullptr;
    };
  };
  const auto keep = [&](const Program& program) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const std::string* key : {&uncut, &cut})
      if (!key->empty() && program->refusal.empty()) cuts_.emplace(*key, program);
    Program& kept = programs_[by][index];
    if (!kept) kept = program;  // otherwise another thread was faster
    return kept;
  };
  auto fresh = timed_program(network, layer, config, {finds(uncut, by), finds(cut, cut_key(config))});
  if (auto* refusal = std::get_if<std::string>(&fresh))
    return keep(std::make_shared<const CachedProgram>(std::move(*refusal)));
  if (same) return keep(same);
  const auto whole = std::make_shared<const CachedProgram>(std::move(std::get<TimedProgram>(fresh)));
  if (takes(whole->program->trace.bytes())) return keep(whole);
  keep(std::make_shared<const CachedProgram>(*whole, least_of(*whole->program, config)));
  return whole;
}

bool ProgramCache::takes(std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (bytes_kept_ + bytes > most_bytes_) return false;
  bytes_kept_ += bytes;
  return true;
}

}  // namespace fansim::stream
