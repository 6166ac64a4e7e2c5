// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/checker/axi4_rules.h"
#include "axi/checker/stream_rules.h"
#include "axi/pins/bundle.h"
#include "axi/pins/lite.h"
#include "axi/pins/payload.h"

// Protocol checkers to clip onto wires: they read, at each rising edge of aclk, what the wires were before it, and
// drive nothing. Each finding is an SC_REPORT_ERROR that names the instance, the rule and the cycle, unless
// `findings().handler` says otherwise.
namespace fansim::axi {

template <class Channel>
AddressView address_view(const Channel& c) {
  AddressView v;
  v.valid = c.valid.read(), v.ready = c.ready.read();
  if (!v.valid) return v;
  v.id = c.id.read().to_uint(), v.addr = c.addr.read();
  v.len = c.len.read().to_uint(), v.size = c.size.read().to_uint(), v.burst = c.burst.read().to_uint(),
  v.cache = c.cache.read().to_uint();
  v.prot = c.prot.read().to_uint(), v.qos = c.qos.read().to_uint(), v.lock = c.lock.read();
  return v;
}

// Ports of the interface's wires: `pins`.
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

 protected:
  virtual void at_edge() = 0;
  Rules rules_;
};

template <class W>
class Axi4Checker final : public Checker<Axi4Pins<MonitorsRole, W>, Axi4Rules> {
 public:
  using Checker<Axi4Pins<MonitorsRole, W>, Axi4Rules>::Checker;

 private:
  void at_edge() override {
    const auto& p = this->pins;
    Axi4View v;
    v.resetn = this->aresetn.read();
    v.aw = address_view(p.aw), v.ar = address_view(p.ar);
    v.w.valid = p.w.valid.read(), v.w.ready = p.w.ready.read();
    if (v.w.valid) from_wires(p.w.data.read(), v.w.data), v.w.strb = p.w.strb.read(), v.w.last = p.w.last.read();
    v.b.valid = p.b.valid.read(), v.b.ready = p.b.ready.read();
    v.b.id = p.b.id.read().to_uint(), v.b.resp = p.b.resp.read().to_uint();
    v.r.valid = p.r.valid.read(), v.r.ready = p.r.ready.read();
    if (v.r.valid)
      from_wires(p.r.data.read(), v.r.data), v.r.last = p.r.last.read(), v.r.resp = p.r.resp.read().to_uint();
    v.r.id = p.r.id.read().to_uint();
    this->rules_.edge(v);
  }
};

// AXI4-Lite is AXI4 with bursts of one full beat and one ID.
class LiteChecker final : public Checker<LitePins<MonitorsRole>, Axi4Rules> {
 public:
  explicit LiteChecker(const sc_core::sc_module_name& name, std::int64_t patience = CheckerConfig{}.patience)
      : Checker(name, CheckerConfig{32, patience}) {}

 private:
  void at_edge() override;
};

template <int Data>
class StreamChecker final : public Checker<StreamPins<MonitorsRole, Data>, StreamRules> {
 public:
  using Checker<StreamPins<MonitorsRole, Data>, StreamRules>::Checker;

 private:
  void at_edge() override {
    const auto& t = this->pins.t;
    StreamView v;
    v.resetn = this->aresetn.read();
    v.valid = t.valid.read(), v.ready = t.ready.read();
    if (v.valid) from_wires(t.data.read(), v.data), v.keep = t.keep.read(), v.last = t.last.read();
    this->rules_.edge(v);
  }
};

}  // namespace fansim::axi
