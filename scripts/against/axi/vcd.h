// SPDX-License-Identifier: Apache-2.0
// This file reads AXI ports from a waveform of the program or of a bench: the state of their wires before each edge of
// their clock.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "axi/checker/view.h"

namespace against {

using namespace fansim;

struct Port {
  std::string name;  // the scope of its wires
  bool lite = false;
  int data_bits = 32;
  axi::Axi4View view;  // current state
};

class Vcd {
 public:
  // `clock_of` returns the name of a port's clock for the port's name.
  Vcd(std::string text, const std::function<std::string(const std::string&)>& clock_of);

  const std::deque<Port>& ports() const { return ports_; }
  // Reads to the end of the file. `edge` gets a port with its view from before an edge.
  void read(const std::function<void(const Port&)>& edge);

 private:
  using Set = std::function<void(const std::string& bits)>;

  std::string line();
  void declare();
  void find_ports(const std::function<std::string(const std::string&)>& clock_of);
  void find_wires(Port& port);
  template <class T>
  void to(const std::string& wire, T& field);
  void change(const std::string& text);
  void settle(const std::function<void(const Port&)>& edge);

  const std::string text_;
  std::size_t at_ = 0;
  std::map<std::string, std::string> codes_;  // full name of a wire -> code
  std::map<std::string, int> widths_;         // full name -> width
  std::deque<Port> ports_;
  std::unordered_map<std::string, std::vector<Set>> sets_;            // by code
  std::unordered_map<std::string, std::vector<const Port*>> clocks_;  // by code
  std::vector<std::pair<std::string, std::string>> pending_;          // codes and bits of the current instant
};

}  // namespace against
