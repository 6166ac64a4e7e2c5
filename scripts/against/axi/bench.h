// SPDX-License-Identifier: Apache-2.0
// This file holds what the benches share: their options, the memory under test, and ends of streams that stall at
// random.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "axi/pins/adapters.h"
#include "axi/types.h"
#include "base/random.h"
#include "base/yaml.h"
#include "contract/axi.h"
#include "contract/ddr.h"
#include "sim/module.h"
#include "sim/scheduler.h"
#include "sim/stream.h"

namespace against {

using namespace fansim;

// Parses "--key value ..."; every key has a default.
class Options {
 public:
  Options(int count, char** words) {
    for (int i = 1; i + 1 < count; i += 2) values_[words[i]] = words[i + 1];
  }
  std::string text(const std::string& key, const std::string& otherwise) const {
    const auto found = values_.find("--" + key);
    return found == values_.end() ? otherwise : found->second;
  }
  int number(const std::string& key, int otherwise) const {
    return std::atoi(text(key, std::to_string(otherwise)).c_str());
  }

 private:
  std::map<std::string, std::string> values_;
};

// `kind` is ideal, fixed, or the file of a part for the banked memory. The constants are the defaults.
inline contract::DdrConfig ddr_config(const std::string& kind) {
  contract::DdrConfig config;
  if (kind == "ideal") config.fidelity = contract::DdrFidelity::ideal;
  if (kind == "ideal" || kind == "fixed") return config;
  base::YamlMap part(base::load_yaml(kind));
  config.fidelity = contract::DdrFidelity::banked;
  config.part = contract::read_ddr_part(part);
  return config;
}

inline contract::AxiConfig axi_config(int data_bits) {
  contract::AxiConfig config;
  config.data_bits = data_bits;
  config.burst_beats = 256;
  return config;
}

inline std::vector<std::uint8_t> random_bytes(std::size_t size, base::Random& random) {
  std::vector<std::uint8_t> bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
  return bytes;
}

// Returns the beats of a packet of bytes.
inline std::vector<axi::StreamBeat> packet(const std::vector<std::uint8_t>& bytes, int beat_bytes) {
  std::vector<axi::StreamBeat> beats;
  for (std::size_t at = 0; at < bytes.size(); at += static_cast<std::size_t>(beat_bytes)) {
    axi::StreamBeat beat;
    beat.bytes = static_cast<int>(std::min(bytes.size() - at, static_cast<std::size_t>(beat_bytes)));
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), beat.bytes, beat.data.begin());
    beat.last = at + static_cast<std::size_t>(beat_bytes) >= bytes.size();
    beats.push_back(beat);
  }
  return beats;
}

class Source final : public sim::Module {
 public:
  sim::StreamOut<axi::StreamBeat> out{"out"};

  Source(const sc_core::sc_module_name& name, int stall, std::uint64_t seed)
      : Module(name), stall_(stall), random_(seed, this->name()) {}

  void send(const std::vector<axi::StreamBeat>& beats) { beats_.insert(beats_.end(), beats.begin(), beats.end()); }
  bool idle() const { return sent_ == beats_.size(); }

 private:
  void step() override {
    if (idle() || random_.chance(stall_) || !out.can_push()) return;
    out.push(beats_[sent_++]);
  }

  const int stall_;
  base::Random random_;
  std::vector<axi::StreamBeat> beats_;
  std::size_t sent_ = 0;
};

class Sink final : public sim::Module {
 public:
  sim::StreamIn<axi::StreamBeat> in{"in"};
  std::vector<std::uint8_t> bytes;  // received
  std::vector<std::size_t> ends;    // ends of packets in `bytes`

  Sink(const sc_core::sc_module_name& name, int stall, std::uint64_t seed)
      : Module(name), stall_(stall), random_(seed, this->name()) {}

 private:
  void step() override {
    if (random_.chance(stall_) || !in.can_pop()) return;
    const axi::StreamBeat& beat = in.pop();
    bytes.insert(bytes.end(), beat.data.begin(), beat.data.begin() + beat.bytes);
    if (beat.last) ends.push_back(bytes.size());
  }

  const int stall_;
  base::Random random_;
};

}  // namespace against
