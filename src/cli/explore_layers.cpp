// SPDX-License-Identifier: Apache-2.0
#include "cli/explore_layers.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/hash.h"
#include "cli/explore_stream_roofline.h"
#include "compile/compile.h"
#include "compile/fusion.h"
#include "compile/tiled/compile_tiled.h"

namespace fansim::cli {
namespace {

using explore::Store;

std::vector<int> timed(const network::Network& network, bool average_fused) {
  const compile::Fusion fusion(network, {}, average_fused);
  std::vector<int> layers;
  for (const int index : fusion.chosen) {
    const network::LayerType type = network.layers[static_cast<std::size_t>(index)].type;
    if (type != network::LayerType::flatten && !fusion.is_fused_pool(index)) layers.push_back(index);
  }
  return layers;
}

std::string to_text(const LayerTime& t) {
  return fmt::format("{} {} {} {} {} {} {}", t.cycles, t.macs, t.bytes_read, t.bytes_written, t.left.inputs,
                     t.left.weights, t.left.outputs);
}

std::optional<LayerTime> time_of(const std::string& text) {
  long long cycles = 0, macs = 0, read = 0, written = 0, inputs = 0, weights = 0, outputs = 0;
  if (std::sscanf(text.c_str(), "%lld %lld %lld %lld %lld %lld %lld", &cycles, &macs, &read, &written, &inputs,
                  &weights, &outputs) != 7)
    return std::nullopt;
  return LayerTime{cycles, macs, read, written, {inputs, weights, outputs}};
}

// A key is bytes; the store has text.
std::string hexadecimal(const std::string& bytes) {
  std::string digits;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    digits += "0123456789abcdef"[value >> 4];
    digits += "0123456789abcdef"[value & 15];
  }
  return digits;
}

// Another for every key.
std::string task_of(const arch::Program& program, const std::string& key) {
  return fmt::format("layer {} {}", program.layers.front().name, base::Fnv1a().add(key).text());
}

}  // namespace

LayerTime& LayerTime::operator+=(const LayerTime& next) {
  cycles += next.cycles;
  macs += next.macs;
  bytes_read += next.bytes_read;
  bytes_written += next.bytes_written;
  left = next.left;
  return *this;
}

std::vector<int> timed_layers(const network::Network& network, const arch::StreamConfig&) {
  return timed(network, false);
}
std::vector<int> timed_layers(const network::Network& network, const arch::TiledConfig&) {
  return timed(network, true);
}

template <class Config>
std::variant<arch::Program, std::string> program_of(const network::Network& network, int layer, const Config& config) {
  compile::Options options;
  options.layers = {layer};
  options.values = options.memory = false;
  auto compiled = compile::compile(network, config, options);
  if (const auto* misfit = std::get_if<compile::Unschedulable>(&compiled))
    return misfit->layer.empty() ? misfit->reason : misfit->layer + ": " + misfit->reason;
  return std::get<arch::Program>(std::move(compiled));
}

template std::variant<arch::Program, std::string> program_of(const network::Network&, int, const arch::StreamConfig&);
template std::variant<arch::Program, std::string> program_of(const network::Network&, int, const arch::TiledConfig&);

template <class Config>
LayerTime LayerTimes::time(const Config& config, const arch::Program& program, const Gaps& gaps) {
  const std::string key = timing_key(config, program, gaps);
  const std::optional<LayerTime> known = find(key);
  return known ? *known : simulate(config, program, gaps, key);
}

template LayerTime LayerTimes::time(const arch::StreamConfig&, const arch::Program&, const Gaps&);
template LayerTime LayerTimes::time(const arch::TiledConfig&, const arch::Program&, const Gaps&);

LayerTimes::Scheduled LayerTimes::time(const arch::StreamConfig& config, const network::Network& network, int layer,
                                       const Gaps& gaps) {
  const Known known = compiled(config, network, layer);
  if (!known->refusal.empty()) return known->refusal;
  const std::string key = timing_key(config, known->steps, gaps);
  if (const std::optional<LayerTime> time = find(key)) return *time;
  if (known->program) return simulate(config, *known->program, gaps, key);
  return simulate(config, std::get<arch::Program>(program_of(network, layer, config)), gaps, key);
}

std::variant<base::Cycles, std::string> LayerTimes::least(const arch::StreamConfig& config,
                                                          const network::Network& network, int layer) {
  const Known known = compiled(config, network, layer);
  if (!known->refusal.empty()) return known->refusal;
  return known->least[config.array.multiplier == arch::Multiplier::lut_reconfigurable ? 1 : 0];
}

LayerTimes::Scheduled LayerTimes::time(const arch::TiledConfig& config, const network::Network& network, int layer,
                                       const Gaps& gaps) {
  const auto program = program_of(network, layer, config);
  if (const auto* refusal = std::get_if<std::string>(&program)) return *refusal;
  return time(config, std::get<arch::Program>(program), gaps);
}

template <class Config>
LayerTime LayerTimes::simulate(const Config& config, const arch::Program& program, const Gaps& gaps,
                               const std::string& key) {
  const explore::Guard::Task task(guard_, guard_ ? task_of(program, key) : "");
  Gaps left = gaps;
  const arch::LayerResult result = time_layer(config, program, left);
  const LayerTime time{result.cycles, result.macs, result.bytes_read, result.bytes_written, left};
  keep(key, time);
  return time;
}

LayerTimes::Known LayerTimes::compiled(const arch::StreamConfig& config, const network::Network& network, int layer) {
  const std::string key = fmt::format("{} ", layer) + program_key(config);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = programs_.find(key);
    if (found != programs_.end()) return found->second;
  }
  auto fresh = program_of(network, layer, config);
  if (const auto* refusal = std::get_if<std::string>(&fresh)) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return programs_.emplace(key, std::make_shared<const Compiled>(Compiled{"", *refusal, {}, nullptr})).first->second;
  }
  const auto program = std::make_shared<const arch::Program>(std::get<arch::Program>(std::move(fresh)));
  const auto known = std::make_shared<const Compiled>(Compiled{
      steps_of(*program), "", {least_cycles(*program, config, false), least_cycles(*program, config, true)}, program});
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool room = steps_kept_ + program->ops.size() <= most_steps_;
  if (!room)
    programs_.emplace(key, std::make_shared<const Compiled>(Compiled{known->steps, "", known->least, nullptr}));
  if (room && programs_.emplace(key, known).second) steps_kept_ += program->ops.size();
  return known;
}

std::optional<LayerTime> LayerTimes::find(const std::string& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  if (!store_) return std::nullopt;
  const std::optional<std::string> text = store_->find(Store::Table::memo, hexadecimal(key));
  const std::optional<LayerTime> stored = text ? time_of(*text) : std::nullopt;
  if (stored) known_.emplace(key, *stored);
  return stored;
}

void LayerTimes::keep(const std::string& key, const LayerTime& time) {
  if (store_) store_->put(Store::Table::memo, hexadecimal(key), to_text(time));
  const std::lock_guard<std::mutex> lock(mutex_);
  if (known_.emplace(key, time).second) ++simulated_;
}

}  // namespace fansim::cli
