// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "sim/module.h"
#include "sim/pin_module.h"
#include "sim/stream.h"

namespace fansim::sim {

// What a design has to show.
struct Scene {
  std::vector<StreamBase*> streams;
  std::vector<Module*> modules;
  std::vector<Wires*> wires;
  std::vector<ClockDomain*> domains;
  bool wired = false;  // clocks fall at an instant of their own
};

// A window [from, to) of edges and what of the design it shows.
struct WaveformWindow {
  static constexpr Edge kNever = Edge{1} << 62;

  Edge from = 0;
  Edge to = 0;              // 0: open end
  std::string scope = "*";  // globs over full names, of signals and of what has them; commas between

  void end(Edge edge) {
    if (to == 0 || to > edge) to = edge;
  }
};

// What the whole design is at, in words, beside the edge's number.
struct Watched {
  std::string name;
  std::vector<std::string> words;
  std::function<std::size_t()> at;
};

// Begins the recording within the window: at the first edge at which `hit`, and `edges` long.
struct WaveformTrigger {
  std::function<bool()> hit;
  Edge edges = 0;
};

// Who is told what SystemC's file does not say, signal by signal; either may be empty.
struct WaveformReader {
  // It is written as codes of these words.
  std::function<void(const std::string& name, const std::vector<std::string>& words)> words;
  // It is written as a code that changes at each rise and is 0 before the first; it falls between.
  std::function<void(const std::string& name)> clock;
};

// Writes a VCD through SystemC's tracing: every stream's handshake and payload fields, every register and block's
// state, bundles of wires, every clock, and its edge number. The file appears when the recording begins.
class Waveform final : public Tracer {
 public:
  Waveform(std::string path, WaveformWindow window, WaveformReader reader = {})
      : path_(std::move(path)), window_(std::move(window)), reader_(std::move(reader)) {}
  ~Waveform() override;

  // Whether there is something to do at an edge: before() ahead of it, after() behind it.
  bool looks(Edge edge) const { return edge >= window_.from && (window_.to == 0 || edge < window_.to); }
  Edge edges_until(Edge edge) const { return edge < window_.from ? window_.from - edge : 1 << 20; }
  void before() const;
  void after(const Scene& scene, Edge edge);
  // Where the scene is wired, halfway to the next instant.
  void fall();

  WaveformWindow& window() { return window_; }
  // Both before the recording; `before` is called ahead of every edge that matters.
  void watch(std::vector<Watched> watched, std::function<void()> before);
  void trigger(WaveformTrigger trigger) { trigger_ = std::move(trigger); }

  // UserError if the scope names nothing of the design.
  void check_scope(const Scene& scene) const;
  // Ends the file once the window has passed: what is sampled later than it shows nothing.
  void close_past(Edge edge);

  void wire(const std::string& name, const bool& value) override;
  void wire(const std::string& name, const std::uint64_t& value, int bits) override;
  void word(const std::string& name, const std::uint64_t& code, const std::vector<std::string>& words) override;

 private:
  struct WatchedCode {
    Watched what;
    std::uint64_t code = 0;
  };
  struct Clock {
    const ClockDomain* domain;
    Edge edge = 0;
    std::uint64_t code = 0;
  };

  void open(const Scene& scene);
  void open_top(const Scene& scene);
  bool shows(const std::string& name) const;
  template <class Shown>
  bool traces(const std::string& name, Shown& shown);
  void sample(bool wired);

  std::string path_;
  WaveformWindow window_;
  WaveformReader reader_;
  WaveformTrigger trigger_;
  std::function<void()> before_;
  std::deque<WatchedCode> watched_;
  std::deque<Clock> clocks_;
  sc_core::sc_trace_file* file_ = nullptr;
  bool whole_ = false;  // while something declares its wires: all of them are shown
  int declared_ = 0;
  std::vector<StreamBase*> streams_;
  std::vector<RegBase*> registers_;
  std::uint64_t edge_ = 0;
};

}  // namespace fansim::sim
