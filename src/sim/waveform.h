// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "sim/module.h"
#include "sim/pin_module.h"
#include "sim/stream.h"
#include "waveforms/wave_writer.h"
#include "waveforms/waveform_file.h"

namespace fansim::sim {

// The parts of a design that a waveform can show.
struct Scene {
  std::vector<StreamBase*> streams;
  std::vector<Module*> modules;
  std::vector<Wires*> wires;
  std::vector<ClockDomain*> domains;
  bool wired = false;  // clocks fall at an instant of their own
};

// A window [from, to) of edges, and which part of the design it shows.
struct WaveformWindow {
  static constexpr Edge kNever = Edge{1} << 62;

  Edge from = 0;
  Edge to = 0;              // 0: no end
  std::string scope = "*";  // globs over full names of signals and of what contains them, separated by commas

  void end(Edge edge) {
    if (to == 0 || to > edge) to = edge;
  }
};

// A state of the whole design, shown in words beside the edge's number.
struct Watched {
  std::string name;
  std::vector<std::string> words;
  std::function<std::size_t()> at;
};

// Begins the recording within the window at the first edge at which `hit` returns true, for `edges` edges.
struct WaveformTrigger {
  std::function<bool()> hit;
  Edge edges = 0;
};

// Writes what a design shows: every stream's handshake and payload fields, the state of every register and block,
// bundles of wires, every clock, and its edge number. The file begins when the recording does.
class Waveform final : public Tracer {
 public:
  // Records to a writer that the caller closes.
  Waveform(waveforms::WaveWriter& writer, WaveformWindow window) : writer_(writer), window_(std::move(window)) {}
  // Records to a file of its own, which is complete when the window has passed or this object ends.
  Waveform(const std::string& path, WaveformWindow window);
  ~Waveform() override;

  // Returns whether there is something to do at an edge: before() ahead of it, after() behind it.
  bool looks(Edge edge) const { return edge >= window_.from && (window_.to == 0 || edge < window_.to); }
  Edge edges_until(Edge edge) const { return edge < window_.from ? window_.from - edge : 1 << 20; }
  void before() const;
  void after(const Scene& scene, Edge edge);
  // Writes the last instant. In a scene with wires it is called before an instant, and when there is no further one,
  // because wires have settled by then.
  void settle();
  // Called halfway to the next instant if the scene has wires.
  void fall();

  WaveformWindow& window() { return window_; }
  // Both are to be called before the recording. `before` is called ahead of every edge that matters.
  void watch(std::vector<Watched> watched, std::function<void()> before);
  void trigger(WaveformTrigger trigger) { trigger_ = std::move(trigger); }

  // Throws UserError if the scope names nothing of the design.
  void check_scope(const Scene& scene) const;
  // Ends the recording once the window has passed.
  void close_past(Edge edge);

  void wire(const std::string& name, const bool& value) override;
  void wire(const std::string& name, const std::uint64_t& value, int bits) override;
  void wire(const std::string& name, const sc_dt::sc_uint_base& value) override;
  void wire(const std::string& name, const sc_dt::sc_bv_base& value) override;
  void word(const std::string& name, const std::uint64_t& code, const std::vector<std::string>& words) override;

 private:
  struct WatchedCode {
    Watched what;
    std::uint64_t code = 0;
  };
  struct Clock {
    const ClockDomain* domain;
    std::size_t variable;
    bool high = false;
  };
  struct Value {
    enum class Kind { flag, number, integer, vector } kind;
    const void* at;  // points to bool, std::uint64_t, sc_uint_base or sc_bv_base
  };
  // A part and the end of its variables, which begin where those of the part before end.
  template <class Part>
  struct Shown {
    Part* part;
    std::size_t end;
  };

  void open(const Scene& scene);
  void open_top(const Scene& scene);
  bool shows(const std::string& name) const;
  template <class Part>
  void show(const std::string& name, Part& part, std::vector<Shown<Part>>& shown);
  void declare(const std::string& name, Value::Kind kind, const void* value, int bits);
  bool first() const { return !writer_.begun(); }
  void fall_between(std::int64_t now);
  void sample();
  void write();
  void put(std::size_t variable) {
    const Value& value = values_[variable];
    if (value.kind == Value::Kind::flag)
      writer_.set(variable, std::uint64_t{*static_cast<const bool*>(value.at)});
    else if (value.kind == Value::Kind::number)
      writer_.set(variable, *static_cast<const std::uint64_t*>(value.at));
    else
      put_wire(variable);
  }
  void put_wire(std::size_t variable);

  std::unique_ptr<waveforms::WaveformFile> file_;  // if it has a file of its own
  waveforms::WaveWriter& writer_;
  WaveformWindow window_;
  WaveformTrigger trigger_;
  std::function<void()> before_;
  std::deque<WatchedCode> watched_;
  std::deque<Clock> clocks_;
  enum class Stage { ahead, recording, over } stage_ = Stage::ahead;
  bool whole_ = false;         // true while a part declares its wires and all of them are shown
  bool unsettled_ = false;     // the last instant is not written yet
  std::int64_t time_ = 0;      // time of the last instant
  std::vector<Value> values_;  // by variable
  std::map<std::size_t, std::vector<sc_dt::sc_digit>> vectors_;  // values of vectors as last written
  std::size_t top_ = 0;                                          // number of variables that every scope shows
  std::vector<Shown<StreamBase>> streams_;
  std::vector<Shown<RegBase>> registers_;  // they follow the streams, and the bundles of wires follow them
  std::uint64_t edge_ = 0;
};

}  // namespace fansim::sim
