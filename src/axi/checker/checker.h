// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/checker/axi4_rules.h"
#include "axi/checker/pin_view.h"
#include "axi/checker/stream_rules.h"

// A protocol checker that is attached to wires. At each rising edge of aclk it reads what the wires were before that
// edge; it drives nothing. Each finding is an SC_REPORT_ERROR with the instance, the rule and the cycle, unless
// `findings().handler` is set to something else.
namespace fansim::axi {

// `Pins` has ports to the interface's wires.
template <class Pins, class Rules>
class Checker : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> aclk{"aclk"};
  sc_core::sc_in<bool> aresetn{"aresetn"};
  Pins pins;

  Checker(const sc_core::sc_module_name& name, const CheckerConfig& config) : sc_module(name), rules_(config) {
    findings().handler = [this](const Finding& finding) {
      SC_REPORT_ERROR(this->name(), fmt::format("{}: {}, cycle {}", finding.rule, finding.text, finding.cycle).c_str());
    };
    SC_HAS_PROCESS(Checker);
    SC_METHOD(at_edge);
    dont_initialize();
    sensitive << aclk.pos();
  }

  Findings& findings() { return rules_.findings; }
  std::int64_t beats() const { return rules_.beats(); }

 private:
  void at_edge() { rules_.edge(view(pins, aresetn.read())); }

  Rules rules_;
};

template <class W>
using Axi4Checker = Checker<Axi4Pins<MonitorsRole, W>, Axi4Rules>;
template <int Data>
using StreamChecker = Checker<StreamPins<MonitorsRole, Data>, StreamRules>;

// AXI4-Lite is checked as AXI4 with bursts of one full beat and one ID.
class LiteChecker final : public Checker<LitePins<MonitorsRole>, Axi4Rules> {
 public:
  explicit LiteChecker(const sc_core::sc_module_name& name, std::int64_t patience = CheckerConfig{}.patience)
      : Checker(name, CheckerConfig{kLiteBits, patience}) {}
};

}  // namespace fansim::axi
