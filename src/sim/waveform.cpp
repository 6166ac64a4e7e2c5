// SPDX-License-Identifier: Apache-2.0
#include "sim/waveform.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace fansim::sim {
namespace {

constexpr int kEdgeBits = 48;

std::int64_t now() { return static_cast<std::int64_t>(sc_core::sc_time_stamp().value()); }  // in ps

// Collects the names that a design's parts would have written.
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

Waveform::Waveform(const std::string& path, WaveformWindow window)
    : file_(std::make_unique<waveforms::WaveformFile>(path)), writer_(file_->writer()), window_(std::move(window)) {}

Waveform::~Waveform() {
  if (!file_ || stage_ != Stage::recording) return;
  try {
    file_->keep();
  } catch (const base::UserError&) {  // there is nobody left to report to
  }
}

void Waveform::close_past(Edge edge) {
  if (window_.to == 0 || edge < window_.to) return;
  if (std::exchange(stage_, Stage::over) != Stage::recording) return;
  fall_between(now());
  if (file_) file_->keep();
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

void Waveform::wire(const std::string& name, const bool& value) { declare(name, Value::Kind::flag, &value, 1); }

void Waveform::wire(const std::string& name, const std::uint64_t& value, int bits) {
  declare(name, Value::Kind::number, &value, bits);
}

void Waveform::wire(const std::string& name, const sc_dt::sc_uint_base& value) {
  declare(name, Value::Kind::integer, &value, value.length());
}

void Waveform::wire(const std::string& name, const sc_dt::sc_bv_base& value) {
  declare(name, Value::Kind::vector, &value, value.length());
}

void Waveform::declare(const std::string& name, Value::Kind kind, const void* value, int bits) {
  if (!whole_ && !shows(name)) return;
  values_.push_back({kind, value});
  writer_.declare(name, bits);
}

void Waveform::word(const std::string& name, const std::uint64_t& code, const std::vector<std::string>& words) {
  if (!whole_ && !shows(name)) return;
  values_.push_back({Value::Kind::number, &code});
  writer_.declare(name, words);
}

template <class Part>
void Waveform::show(const std::string& name, Part& part, std::vector<Shown<Part>>& shown) {
  whole_ = shows(name);
  const std::size_t before = values_.size();
  part.trace(*this);
  if (values_.size() > before) shown.push_back({&part, values_.size()});
}

void Waveform::open(const Scene& scene) {
  open_top(scene);
  for (StreamBase* stream : scene.streams) show(stream->name(), *stream, streams_);
  for (Module* module : scene.modules)
    for (RegBase* reg : module->registers()) show(reg->full_name(), *reg, registers_);
  whole_ = true;
  for (const Wires* bundle : scene.wires)
    if (shows(bundle->name())) bundle->trace(*this);
}

// Declares what every scope shows.
void Waveform::open_top(const Scene& scene) {
  whole_ = true;
  wire("edge", edge_, kEdgeBits);
  for (WatchedCode& watched : watched_) word(watched.what.name, watched.code, watched.what.words);
  for (ClockDomain* domain : scene.domains) {
    const std::string name = domain->name + "_clk";
    if (domain->exported()) {
      wire(name, domain->clk().read());
      continue;
    }
    clocks_.push_back({domain, values_.size()});
    wire(name, clocks_.back().high);
  }
  top_ = values_.size();
}

void Waveform::before() const {
  if (before_) before_();
}

// Writes the instant that has just passed. Watched values and the trigger refer to edges of the first clock; other
// clocks may have edges between them.
void Waveform::after(const Scene& scene, Edge edge) {
  if (edge < std::max<Edge>(window_.from, 1)) return;
  const bool led = edge_ != static_cast<std::uint64_t>(edge);
  if (trigger_.hit) {
    if (!led || !trigger_.hit()) return;
    trigger_.hit = nullptr;
    window_.end(edge + trigger_.edges);
  }
  if (stage_ == Stage::ahead) {
    open(scene);
    stage_ = Stage::recording;
  }
  edge_ = static_cast<std::uint64_t>(edge);
  if (led)
    for (WatchedCode& watched : watched_) watched.code = watched.what.at();
  if (!scene.wired) fall_between(now());
  time_ = now();
  sample();
  unsettled_ = true;
  if (!scene.wired) settle();
}

// Clocks that no wire shows fall halfway to this instant.
void Waveform::fall_between(std::int64_t instant) {
  if (first()) return;
  writer_.at(time_ + (instant - time_) / 2);
  for (Clock& clock : clocks_)
    if (std::exchange(clock.high, false)) put(clock.variable);
}

void Waveform::fall() {
  if (stage_ != Stage::recording) return;
  for (Clock& clock : clocks_) clock.high = false;
  time_ = now();
  unsettled_ = true;
}

void Waveform::sample() {
  for (Clock& clock : clocks_) clock.high = clock.high || clock.domain->rose();
  for (const auto& shown : streams_)
    if (first() || shown.part->stirs()) shown.part->sample();
  for (const auto& shown : registers_) shown.part->sample();
}

void Waveform::settle() {
  if (std::exchange(unsettled_, false)) write();
}

void Waveform::write() {
  const bool all = first();
  writer_.at(time_);
  std::size_t variable = 0;
  while (variable < top_) put(variable++);
  for (const auto& shown : streams_) {
    if (all || shown.part->stirs())
      for (; variable < shown.end; ++variable) put(variable);
    variable = shown.end;
  }
  while (variable < values_.size()) put(variable++);
}

// Digits are formatted only for values that changed.
void Waveform::put_wire(std::size_t variable) {
  const Value& value = values_[variable];
  if (value.kind == Value::Kind::integer) {
    writer_.set(variable, static_cast<const sc_dt::sc_uint_base*>(value.at)->to_uint64());
    return;
  }
  const auto& bits = *static_cast<const sc_dt::sc_bv_base*>(value.at);
  std::vector<sc_dt::sc_digit>& before = vectors_[variable];
  bool same = !before.empty();
  before.resize(static_cast<std::size_t>(bits.size()));
  for (std::size_t i = 0; i < before.size(); ++i) {
    const sc_dt::sc_digit word = bits.get_word(static_cast<int>(i));
    same = same && before[i] == word;
    before[i] = word;
  }
  if (!same) writer_.set(variable, bits.to_string());
}

}  // namespace fansim::sim
