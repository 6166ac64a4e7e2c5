// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/stream_bench.h"

// Lock-step co-simulation: SystemC blocks beside Verilated twins, every lane with its own parameters, in one process.
namespace fansim::cosim {

// Holds Verilog parameters of one twin, "ROWS=3 COLS=3".
class Parameters {
 public:
  explicit Parameters(std::string text);
  int operator[](const std::string& name) const { return values_.at(name); }
  int get(const std::string& name, int otherwise) const { return values_.count(name) ? values_.at(name) : otherwise; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::map<std::string, int> values_;
};

// Holds the codes of the faults to plant: from 1 to a last one, or "1..13,18".
class Faults {
 public:
  Faults(int last);
  explicit Faults(const std::string& text);
  const std::vector<int>& codes() const { return codes_; }
  std::size_t count() const { return codes_.size(); }

 private:
  void add(int first, int last);
  std::vector<int> codes_;
};

// Runs one SystemC block and its twins: one without faults, and one per fault that must be detected.
class LaneBase {
 public:
  virtual ~LaneBase() = default;
  virtual void at_edge() = 0;  // called at every edge, before the blocks step
  virtual std::int64_t cycles() const = 0;
  virtual std::int64_t beats() const = 0;  // that left the block and were compared
  virtual bool failed() const = 0;
  virtual const std::vector<int>& caught() const = 0;  // fault codes
  virtual double twin_seconds() const { return 0; }    // spent in the sound twin's model
  // Faults besides the block's own, to be caught as these.
  virtual std::vector<int> also_planted() const { return {}; }
  // Returns what the stimulus was to cause and did not.
  virtual std::vector<std::string> unreached() const { return {}; }
};

// This fault makes a twin ask its memories once more than their ports allow: memory_ports.vh.
constexpr int kPortFault = 15;

// Returns where the twin that was evaluated last stopped itself, "file:line"; empty: it did not.
std::string take_stop();

class Session {
 public:
  explicit Session(std::string block) : block_(std::move(block)) {}

  template <class Lane>
  void add(const char* parameters) {
    const std::string name = block_ + std::to_string(lanes_.size());
    parameters_.emplace_back(parameters);
    lanes_.push_back(std::make_unique<Lane>(name, Parameters(parameters)));
  }

  // Compares until every lane has its share of kCycles; writes the summary; true if the sound twins agreed everywhere,
  // each of `faults` faults and of the lanes' was caught in some lane and no lane left anything unreached.
  bool run(int faults, const std::string& summary_file);

 private:
  static constexpr std::int64_t kCycles = 120'000;
  static constexpr std::int64_t kShortest = 40'000;

  const std::string block_;
  test::Bench bench_;
  std::vector<std::string> parameters_;
  std::vector<std::unique_ptr<LaneBase>> lanes_;
};

// Each block's file defines this: its lanes, and how many faults its twin can plant (codes 1 .. n).
int add_lanes(Session& session);

}  // namespace fansim::cosim
