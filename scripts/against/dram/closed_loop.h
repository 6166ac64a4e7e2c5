// SPDX-License-Identifier: Apache-2.0
// This file generates closed-loop traffic as `fansim drive ddr` issues it, for memories of other projects
// (scripts/against/dram.py).
#pragma once

#include <cstdint>
#include <cstdio>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace against {

struct Burst {
  bool write = false;
  std::uint64_t address = 0;
  int accesses = 0;  // of 64 bytes
};

struct Stream {
  std::vector<Burst> bursts;
  std::size_t current = 0;
  int handed = 0;
  int in_flight = 0;
  std::deque<std::size_t> waiting;  // burst numbers of reads in flight
};

// Says what a memory must offer: one call per clock of the DRAM.
struct Memory {
  std::function<bool(std::uint64_t address, bool write)> send;  // false: the queue is full
  std::function<void()> tick;
};

class ClosedLoop {
 public:
  ClosedLoop(const std::string& trace, const std::string& map, int outstanding, bool whole_bursts)
      : outstanding_(outstanding), whole_bursts_(whole_bursts) {
    read_map(map);
    read_trace(trace);
  }

  // Called by the memory when a read's data have been on the bus.
  void done(std::uint64_t address) {
    auto& owners = owners_[address];
    const auto [stream, burst] = owners.front();
    owners.pop_front();
    if (--left_[{stream, burst}] > 0) return;
    ++released_[stream];
    last_ = clock_;
  }

  // Returns the clocks until the last read is done and the last write is accepted.
  std::int64_t run(const Memory& memory) {
    released_.assign(streams_.size(), 0);
    constexpr std::int64_t kLimit = 1'000'000'000;
    for (clock_ = 1; busy(); ++clock_) {
      if (clock_ == kLimit) return -1;
      for (std::size_t i = 0; i < streams_.size(); ++i) {
        streams_[i].in_flight -= released_[i];
        released_[i] = 0;
      }
      hand_over(memory);
      memory.tick();
    }
    return last_;
  }

 private:
  bool busy() const {
    for (std::size_t i = 0; i < streams_.size(); ++i)
      if (streams_[i].current < streams_[i].bursts.size() || streams_[i].in_flight > released_[i]) return true;
    return false;
  }

  void hand_over(const Memory& memory) {
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      const std::size_t index = (turn_ + i) % streams_.size();
      const bool handed = hand_over(memory, index);
      const bool within = whole_bursts_ && streams_[index].handed > 0;
      if (handed) turn_ = within ? index : (index + 1) % streams_.size();
      if (handed || within) return;
    }
  }

  bool hand_over(const Memory& memory, std::size_t index) {
    Stream& s = streams_[index];
    if (s.current == s.bursts.size() || (s.handed == 0 && s.in_flight == outstanding_)) return false;
    const Burst& burst = s.bursts[s.current];
    const std::uint64_t address = linear(burst.address + 64U * static_cast<unsigned>(s.handed));
    if (!memory.send(address, burst.write)) return false;
    if (s.handed == 0) {
      ++s.in_flight;
      if (!burst.write) left_[{index, s.current}] = burst.accesses;
    }
    if (!burst.write) owners_[address].emplace_back(index, s.current);
    if (++s.handed < burst.accesses) return true;
    if (burst.write) {
      ++released_[index];
      last_ = clock_;
    }
    ++s.current;
    s.handed = 0;
    return true;
  }

  // Reads the fields of the map from the top. The simulators' own order is, from the top: row, bank, group, column, 64
  // bytes.
  void read_map(const std::string& map) {
    std::istringstream in(map);
    std::vector<std::pair<std::string, int>> fields;
    for (std::string word; in >> word;) {
      const auto digits = word.find_first_of("0123456789");
      fields.emplace_back(word.substr(0, digits), std::stoi(word.substr(digits)));
    }
    std::map<std::string, std::vector<int>> bits;  // bits of a name, from the lowest
    int bit = 0;
    for (auto field = fields.rbegin(); field != fields.rend(); ++field)
      for (int i = 0; i < field->second; ++i) bits[field->first].push_back(bit++);
    for (const char* name : {"byte", "column", "group", "bank", "row"})
      for (const int from : bits[name]) from_.push_back(from);
  }

  std::uint64_t linear(std::uint64_t address) const {
    std::uint64_t result = 0;
    for (std::size_t to = 0; to < from_.size(); ++to) result |= (address >> from_[to] & 1) << to;
    return result;
  }

  void read_trace(const std::string& path) {
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
      std::size_t stream = 0;
      int write = 0;
      unsigned long long address = 0;
      int bytes = 0;
      if (std::sscanf(line.c_str(), "%zu,%d,%lli,%d", &stream, &write, &address, &bytes) != 4) continue;
      if (streams_.size() <= stream) streams_.resize(stream + 1);
      streams_[stream].bursts.push_back({write != 0, address, bytes / 64});
    }
  }

  const int outstanding_;
  const bool whole_bursts_;
  std::vector<int> from_;
  std::vector<Stream> streams_;
  std::vector<int> released_;  // by the next clock
  std::map<std::uint64_t, std::deque<std::pair<std::size_t, std::size_t>>> owners_;
  std::map<std::pair<std::size_t, std::size_t>, int> left_;
  std::size_t turn_ = 0;
  std::int64_t clock_ = 0;
  std::int64_t last_ = 0;
};

}  // namespace against
