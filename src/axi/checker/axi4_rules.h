// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "axi/checker/burst_rules.h"
#include "axi/checker/findings.h"
#include "axi/checker/handshake_rules.h"
#include "axi/checker/view.h"

namespace fansim::axi {

struct CheckerConfig {
  int data_bits = 128;
  std::int64_t patience = 100'000;  // for how many edges a beat, a response or the rest of a burst may be waited for
};

// Checks the rules of an AXI4 interface, edge by edge. It remembers every burst from its address to its last response.
// docs/pins.md lists the rules.
class Axi4Rules {
 public:
  explicit Axi4Rules(const CheckerConfig& config);

  void edge(const Axi4View& view);
  Findings findings;
  std::int64_t beats() const { return beats_; }  // transfers that were seen on all channels

 private:
  // A write. Its data may come before its address, so either may be missing yet.
  struct Write {
    bool addressed = false;
    AddressView address;
    std::vector<std::uint64_t> strobes;  // by beat
    bool last = false;                   // wlast was seen
    std::int64_t since = 0;              // edge of the last progress
  };
  struct Read {
    AddressView address;
    unsigned beats = 0;
    std::int64_t since = 0;
  };

  void forget();
  void handshakes(const Axi4View& view);
  void addresses(const Axi4View& view);
  void write_data(const WriteDataView& w);
  void settle(const std::deque<Write>::iterator& write);
  void check_beat(Write& write, std::size_t beat);
  void write_response(const WriteResponseView& b, bool first_edge);
  void read_data(const ReadDataView& r, bool first_edge);
  void patience();
  void report(const char* rule, const std::string& text) { findings.add(rule, cycle_, text); }

  const CheckerConfig config_;
  std::int64_t cycle_ = 0;
  std::int64_t beats_ = 0;
  HandshakeRules<AddressView> aw_, ar_;
  HandshakeRules<WriteDataView> w_;
  HandshakeRules<WriteResponseView> b_;
  HandshakeRules<ReadDataView> r_;
  std::deque<Write> writes_;                               // writes whose address or data is incomplete, in order
  std::map<std::uint32_t, std::deque<Write>> unanswered_;  // by ID
  std::map<std::uint32_t, std::deque<Read>> reads_;        // by ID
  int open_ = 0;                                           // bursts in all three containers
};

}  // namespace fansim::axi
