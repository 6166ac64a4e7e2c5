// SPDX-License-Identifier: Apache-2.0
// Reports which watcher finds what on the AXI ports of a waveform: --vcd FILE [--clocks PORT=CLOCK,...] [--plants N
// --seed S]. It prints a line per port and watcher: edges, beats, then what was found, how often, and the edge at which
// it was found first. With --plants it prints a line per fault instead: on how many of N recordings with one such fault
// each watcher finds more than without.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "bench.h"
#include "plants.h"
#include "vcd.h"
#include "watchers.h"

namespace against {
namespace {

using Recording = std::vector<axi::Axi4View>;
constexpr int kPatience = 2000;                                               // in edges, for recordings with faults
using Found = std::map<std::string, std::set<std::pair<std::string, long>>>;  // watcher -> findings

Found look(const Port& port, const Recording& recording, int patience) {
  Found found;
  auto all = watchers(port.lite, port.data_bits, patience);
  for (auto& [name, watcher] : all) {
    for (const axi::Axi4View& view : recording) watcher->edge(view);
    found[name] = watcher->found;
  }
  return found;
}

std::set<std::string> rules(const std::set<std::pair<std::string, long>>& found) {
  std::set<std::string> names;
  for (const auto& [rule, edge] : found) names.insert(rule);
  return names;
}

long beats(const Recording& recording) {
  long sum = 0;
  for (const axi::Axi4View& v : recording)
    sum += (v.aw.valid && v.aw.ready) + (v.w.valid && v.w.ready) + (v.b.valid && v.b.ready) +
           (v.ar.valid && v.ar.ready) + (v.r.valid && v.r.ready);
  return sum;
}

void report(const Port& port, const Recording& recording) {
  for (const auto& [name, found] : look(port, recording, 50'000)) {
    std::printf("%s %s %zu %ld", port.name.c_str(), name.c_str(), recording.size(), beats(recording));
    std::map<std::string, std::pair<int, long>> counts;
    for (const auto& [rule, edge] : found) {
      auto& [count, first] = counts.emplace(rule, std::pair{0, edge}).first->second;
      ++count;
      first = std::min(first, edge);
    }
    for (const auto& [rule, count] : counts) std::printf(" %s=%d@%ld", rule.c_str(), count.first, count.second);
    std::printf("\n");
  }
}

void plant(const Port& port, const Recording& recording, int times, std::uint64_t seed) {
  const Found before = look(port, recording, kPatience);
  for (const Fault& fault : faults()) {
    if (port.lite && !fault.lite) continue;
    base::Random random(seed, fault.name);
    std::map<std::string, int> caught;
    int planted = 0;
    for (int i = 0; i < times; ++i) {
      Recording changed = recording;
      if (!fault.plant(changed, random)) continue;
      ++planted;
      for (const auto& [name, found] : look(port, changed, kPatience)) {
        caught[name] += 0;
        const std::set<std::string> usual = rules(before.at(name)), now = rules(found);
        caught[name] += !std::includes(usual.begin(), usual.end(), now.begin(), now.end());
      }
    }
    std::printf("%s %s %d", port.name.c_str(), fault.name, planted);
    for (const auto& [name, count] : caught) std::printf(" %s=%d", name.c_str(), count);
    std::printf("\n");
  }
}

int run(const Options& options) {
  const auto clock_of = [&](const std::string& port) {
    std::istringstream pairs(options.text("clocks", ""));
    for (std::string pair; std::getline(pairs, pair, ',');)
      if (port.find(pair.substr(0, pair.find('='))) != std::string::npos) return pair.substr(pair.find('=') + 1);
    return std::string("pl_clk");
  };
  std::ifstream file(options.text("vcd", ""));
  Vcd vcd({std::istreambuf_iterator<char>(file), {}}, clock_of);
  std::map<std::string, Recording> recordings;
  const auto most = static_cast<std::size_t>(options.number("edges", 1'000'000'000));
  vcd.read([&](const Port& port) {
    Recording& recording = recordings[port.name];
    if (recording.size() < most) recording.push_back(port.view);
  });
  for (const Port& port : vcd.ports()) {
    if (port.name.find(options.text("port", "")) == std::string::npos || recordings[port.name].empty()) continue;
    if (const int times = options.number("plants", 0); times > 0)
      plant(port, recordings[port.name], times, static_cast<std::uint64_t>(options.number("seed", 1)));
    else
      report(port, recordings[port.name]);
  }
  return 0;
}

}  // namespace
}  // namespace against

int sc_main(int count, char** words) { return against::run(against::Options(count, words)); }
