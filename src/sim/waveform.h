// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  std::vector<const sc_core::sc_signal<bool>*> clocks;
};

// A window [from, to) of edges and what of the design it shows.
struct WaveformWindow {
  static constexpr Edge kNever = Edge{1} << 62;

  Edge from = 0;
  Edge to = 0;              // 0: open end
  std::string scope = "*";  // glob over hierarchical names
};

// Writes a VCD through SystemC's tracing: every stream's handshake and payload fields, every register, bundles of wires
// with their clocks, and the clock edge number. The file appears when the window opens.
class Waveform final : public Tracer {
 public:
  Waveform(std::string path, WaveformWindow window) : path_(std::move(path)), window_(std::move(window)) {}
  ~Waveform() override;

  bool wants(Edge edge) const { return edge >= window_.from && (window_.to == 0 || edge < window_.to); }
  Edge edges_until(Edge edge) const { return edge < window_.from ? window_.from - edge : 1 << 20; }
  WaveformWindow& window() { return window_; }

  // UserError if the scope names nothing of the design.
  void check_scope(const Scene& scene) const;
  // Ends the file once the window has passed: what is sampled later than it shows nothing.
  void close_past(Edge edge);
  void sample(const Scene& scene);

  void wire(const std::string& name, const bool& value) override;
  void wire(const std::string& name, const std::uint64_t& value, int bits) override;

 private:
  void open(const Scene& scene);
  bool shows(const std::string& name) const;

  std::string path_;
  WaveformWindow window_;
  sc_core::sc_trace_file* file_ = nullptr;
  std::vector<StreamBase*> streams_;
  std::vector<RegBase*> registers_;
  std::uint64_t edge_ = 0;
};

}  // namespace fansim::sim
