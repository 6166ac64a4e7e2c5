// SPDX-License-Identifier: Apache-2.0
#include "sim/waveform.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "base/error.h"

namespace fansim::sim {

Waveform::~Waveform() {
  if (file_) sc_core::sc_close_vcd_trace_file(file_);
}

void Waveform::close_past(Edge edge) {
  if (!file_ || window_.to == 0 || edge < window_.to) return;
  sc_core::sc_close_vcd_trace_file(file_);
  file_ = nullptr;
}

bool Waveform::shows(const std::string& name) const { return fnmatch(window_.scope.c_str(), name.c_str(), 0) == 0; }

void Waveform::check_scope(const Scene& scene) const {
  std::vector<std::string> names;
  for (const StreamBase* stream : scene.streams) names.emplace_back(stream->name());
  for (const Wires* bundle : scene.wires) names.emplace_back(bundle->name());
  for (const Module* module : scene.modules) {
    for (const RegBase* reg : module->registers()) names.push_back(reg->full_name());
    if (!module->registers().empty()) names.push_back(std::string(module->name()) + ".*");
  }
  if (std::any_of(names.begin(), names.end(), [this](const std::string& name) { return shows(name); })) return;
  throw base::UserError(fmt::format("run: --vcd-scope '{}' names no stream, register or bundle of wires{}",
                                    window_.scope, base::did_you_mean(window_.scope, names)));
}

void Waveform::wire(const std::string& name, const bool& value) { sc_core::sc_trace(file_, value, name); }

void Waveform::wire(const std::string& name, const std::uint64_t& value, int bits) {
  sc_core::sc_trace(file_, value, name, bits);
}

void Waveform::open(const Scene& scene) {
  // SystemC appends ".vcd" to the name it is given.
  const std::string stem =
      path_.size() > 4 && path_.substr(path_.size() - 4) == ".vcd" ? path_.substr(0, path_.size() - 4) : path_;
  file_ = sc_core::sc_create_vcd_trace_file(stem.c_str());
  file_->set_time_unit(1, sc_core::SC_PS);
  wire("edge", edge_, 48);
  for (StreamBase* stream : scene.streams) {
    if (!shows(stream->name())) continue;
    streams_.push_back(stream);
    stream->trace(*this);
  }
  for (Module* module : scene.modules) {
    for (RegBase* reg : module->registers()) {
      if (!shows(reg->full_name())) continue;
      registers_.push_back(reg);
      reg->trace(*this);
    }
  }
  for (const sc_core::sc_signal<bool>* clock : scene.clocks) sc_core::sc_trace(file_, *clock, clock->name());
  for (const Wires* bundle : scene.wires)
    if (shows(bundle->name())) bundle->trace(file_);
}

void Waveform::sample(const Scene& scene) {
  if (!file_) open(scene);
  edge_ = static_cast<std::uint64_t>(scene.modules.empty() ? 0 : scene.modules.front()->now());
  for (StreamBase* stream : streams_) stream->sample();
  for (RegBase* reg : registers_) reg->sample();
}

}  // namespace fansim::sim
