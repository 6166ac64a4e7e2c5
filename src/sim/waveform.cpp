// SPDX-License-Identifier: Apache-2.0
#include "sim/waveform.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "base/error.h"

namespace fansim::sim {
namespace {

constexpr int kCodeBits = 16;  // of a word's
constexpr int kClockBits = 2;

// What a design's parts would have written.
class Names final : public Tracer {
 public:
  void wire(const std::string& name, const bool&) override { all.push_back(name); }
  void wire(const std::string& name, const std::uint64_t&, int) override { all.push_back(name); }
  void word(const std::string& name, const std::uint64_t&, const std::vector<std::string>&) override {
    all.push_back(name);
  }
  std::vector<std::string> all;
};

}  // namespace

Waveform::~Waveform() {
  if (file_) sc_core::sc_close_vcd_trace_file(file_);
}

void Waveform::close_past(Edge edge) {
  if (!file_ || window_.to == 0 || edge < window_.to) return;
  sc_core::sc_close_vcd_trace_file(file_);
  file_ = nullptr;
}

void Waveform::watch(std::vector<Watched> watched, std::function<void()> before) {
  for (Watched& one : watched) watched_.push_back({std::move(one)});
  before_ = std::move(before);
}

bool Waveform::shows(const std::string& name) const {
  const std::string& globs = window_.scope;
  for (std::size_t at = 0; at <= globs.size();) {
    const std::size_t comma = std::min(globs.find(',', at), globs.size());
    if (fnmatch(globs.substr(at, comma - at).c_str(), name.c_str(), 0) == 0) return true;
    at = comma + 1;
  }
  return false;
}

void Waveform::check_scope(const Scene& scene) const {
  Names names;
  for (StreamBase* stream : scene.streams) {
    names.all.emplace_back(stream->name());
    stream->trace(names);
  }
  for (const Wires* bundle : scene.wires) names.all.emplace_back(bundle->name());
  for (const Module* module : scene.modules) {
    for (RegBase* reg : module->registers()) reg->trace(names);
    if (!module->registers().empty()) names.all.push_back(std::string(module->name()) + ".*");
  }
  if (std::any_of(names.all.begin(), names.all.end(), [this](const std::string& name) { return shows(name); })) return;
  throw base::UserError(fmt::format("run: --vcd-scope '{}' names no stream, register or bundle of wires{}",
                                    window_.scope, base::did_you_mean(window_.scope, names.all)));
}

void Waveform::wire(const std::string& name, const bool& value) {
  if (!whole_ && !shows(name)) return;
  sc_core::sc_trace(file_, value, name);
  ++declared_;
}

void Waveform::wire(const std::string& name, const std::uint64_t& value, int bits) {
  if (!whole_ && !shows(name)) return;
  sc_core::sc_trace(file_, value, name, bits);
  ++declared_;
}

void Waveform::word(const std::string& name, const std::uint64_t& code, const std::vector<std::string>& words) {
  if (!whole_ && !shows(name)) return;
  if (reader_.words) reader_.words(name, words);
  sc_core::sc_trace(file_, code, name, kCodeBits);
  ++declared_;
}

// Whether any of its wires is to be sampled.
template <class Shown>
bool Waveform::traces(const std::string& name, Shown& shown) {
  whole_ = shows(name), declared_ = 0;
  shown.trace(*this);
  return declared_ > 0;
}

void Waveform::open(const Scene& scene) {
  // SystemC appends ".vcd" to the name it is given.
  const std::string stem =
      path_.size() > 4 && path_.substr(path_.size() - 4) == ".vcd" ? path_.substr(0, path_.size() - 4) : path_;
  file_ = sc_core::sc_create_vcd_trace_file(stem.c_str());
  file_->set_time_unit(1, sc_core::SC_PS);
  open_top(scene);
  for (StreamBase* stream : scene.streams)
    if (traces(stream->name(), *stream)) streams_.push_back(stream);
  for (Module* module : scene.modules)
    for (RegBase* reg : module->registers())
      if (traces(reg->full_name(), *reg)) registers_.push_back(reg);
  for (const Wires* bundle : scene.wires)
    if (shows(bundle->name())) bundle->trace(file_);
}

// What every scope shows.
void Waveform::open_top(const Scene& scene) {
  whole_ = true;
  wire("edge", edge_, 48);
  for (WatchedCode& watched : watched_) word(watched.what.name, watched.code, watched.what.words);
  for (ClockDomain* domain : scene.domains) {
    const std::string name = domain->name + "_clk";
    if (domain->exported()) {
      sc_core::sc_trace(file_, domain->clk(), name);
      continue;
    }
    clocks_.push_back({domain});
    if (!scene.wired && reader_.clock) reader_.clock(name);
    wire(name, clocks_.back().code, scene.wired ? 1 : kClockBits);
  }
}

void Waveform::before() const {
  if (before_) before_();
}

// What is watched, the trigger too, is of the first clock's edges; others may have theirs between.
void Waveform::after(const Scene& scene, Edge edge) {
  if (edge < std::max<Edge>(window_.from, 1)) return;
  const bool led = edge_ != static_cast<std::uint64_t>(edge);
  if (trigger_.hit) {
    if (!led || !trigger_.hit()) return;
    trigger_.hit = nullptr;
    window_.end(edge + trigger_.edges);
  }
  if (!file_) open(scene);
  edge_ = static_cast<std::uint64_t>(edge);
  if (led)
    for (WatchedCode& watched : watched_) watched.code = watched.what.at();
  sample(scene.wired);
}

void Waveform::sample(bool wired) {
  for (Clock& clock : clocks_) {
    if (clock.domain->edge == clock.edge) continue;
    clock.code = wired || clock.code == 2 ? 1 : clock.code + 1;
    clock.edge = clock.domain->edge;
  }
  for (StreamBase* stream : streams_) stream->sample();
  for (RegBase* reg : registers_) reg->sample();
}

void Waveform::fall() {
  for (Clock& clock : clocks_) clock.code = 0;
}

}  // namespace fansim::sim
