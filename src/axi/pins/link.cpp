// SPDX-License-Identifier: Apache-2.0
#include "axi/pins/link.h"

#include <stdexcept>

#include "axi/checker/axi4_rules.h"
#include "axi/checker/pin_view.h"
#include "axi/checker/stream_rules.h"
#include "axi/pins/adapters.h"

namespace fansim::axi {
namespace {

// Both adapters of one channel, around its wires.
template <class T, class Channel>
struct Crossing {
  Crossing(const std::string& name, sim::ClockDomain& clock, Channel& wires, sim::Stream<T>& source,
           sim::Stream<T>& sink)
      : to((name + "_to_pins").c_str(), wires), from((name + "_from_pins").c_str(), wires) {
    to.clock(clock);
    from.clock(clock);
    to.in(source);
    from.out(sink);
  }
  ToPins<T, Channel> to;
  FromPins<T, Channel> from;
};

// Checks the rules of an interface on its wires. The first finding is a violation; it is thrown where the scheduler can
// catch it.
template <class Wires, class Rules>
class Watch final : public sim::PinModule {
 public:
  Watch(sim::ClockDomain& domain, const Wires& wires, const CheckerConfig& config)
      : PinModule("checker"), wires_(wires), rules_(config) {
    clock(domain);
  }
  std::int64_t beats() const { return rules_.beats(); }

 private:
  void sample() override {
    rules_.edge(view(wires_, true));
    if (const auto& found = rules_.findings.all(); !found.empty())
      violation(found.front().rule + ": " + found.front().text);
  }
  void drive() override {}

  const Wires& wires_;
  Rules rules_;
};

template <int Data>
class MemoryLink final : public PinLink, public sc_core::sc_module {
 public:
  MemoryLink(const sc_core::sc_module_name& name, sim::ClockDomain& clock, PortStreams& m, PortStreams& s)
      : sc_module(name),
        ar_("ar", clock, wires_.ar, m.ar, s.ar),
        r_("r", clock, wires_.r, s.r, m.r),
        aw_("aw", clock, wires_.aw, m.aw, s.aw),
        w_("w", clock, wires_.w, m.w, s.w),
        b_("b", clock, wires_.b, s.b, m.b),
        watch_(clock, wires_, CheckerConfig{Data}) {}

  std::int64_t beats_checked() const override { return watch_.beats(); }

 private:
  using W = Widths<Data>;
  using Wires = Axi4Pins<WiresRole, W>;

  WireBundle<Wires> wires_{"pins"};
  Crossing<ReadBurst, decltype(Wires::ar)> ar_;
  Crossing<ReadBeat, decltype(Wires::r)> r_;
  Crossing<WriteBurst, decltype(Wires::aw)> aw_;
  Crossing<WriteBeat, decltype(Wires::w)> w_;
  Crossing<WriteResponse, decltype(Wires::b)> b_;
  Watch<Wires, Axi4Rules> watch_;
};

template <int Data>
class StreamLink final : public PinLink, public sc_core::sc_module {
 public:
  StreamLink(const sc_core::sc_module_name& name, sim::ClockDomain& clock, sim::Stream<StreamBeat>& source,
             sim::Stream<StreamBeat>& sink)
      : sc_module(name), t_("t", clock, wires_.t, source, sink), watch_(clock, wires_, CheckerConfig{Data}) {}

  std::int64_t beats_checked() const override { return watch_.beats(); }

 private:
  using Wires = StreamPins<WiresRole, Data>;

  WireBundle<Wires> wires_{"pins"};
  Crossing<StreamBeat, decltype(Wires::t)> t_;
  Watch<Wires, StreamRules> watch_;
};

class LiteLink final : public PinLink, public sc_core::sc_module {
 public:
  LiteLink(const sc_core::sc_module_name& name, sim::ClockDomain& clock, const LiteStreams& m, const LiteStreams& s)
      : sc_module(name), watch_(clock, wires_, CheckerConfig{kLiteBits}) {
    to_.request(m.request);
    to_.response(m.response);
    from_.request(s.request);
    from_.response(s.response);
  }

  std::int64_t beats_checked() const override { return watch_.beats(); }

 private:
  using Wires = LitePins<WiresRole>;

  WireBundle<Wires> wires_{"pins"};
  LiteToPins<Wires> to_{"to_pins", wires_};
  LiteFromPins<Wires> from_{"from_pins", wires_};
  Watch<Wires, Axi4Rules> watch_;
};

// Makes a Link of a width that is known at run time: the width is a template parameter of the wires, as it is in
// SystemC.
template <template <int> class Link, class... Arguments>
std::unique_ptr<PinLink> of_width(int data_bits, Arguments&&... arguments) {
  switch (data_bits) {
    case 32:
      return std::make_unique<Link<32>>(arguments...);
    case 64:
      return std::make_unique<Link<64>>(arguments...);
    case 128:
      return std::make_unique<Link<128>>(arguments...);
    case 256:
      return std::make_unique<Link<256>>(arguments...);
    case 512:
      return std::make_unique<Link<512>>(arguments...);
    default:
      throw std::invalid_argument("no wires of this width");
  }
}

}  // namespace

std::unique_ptr<PinLink> link_memory(const char* name, sim::ClockDomain& clock, int data_bits, PortStreams& manager,
                                     PortStreams& subordinate) {
  return of_width<MemoryLink>(data_bits, name, clock, manager, subordinate);
}

std::unique_ptr<PinLink> link_stream(const char* name, sim::ClockDomain& clock, int data_bits,
                                     sim::Stream<StreamBeat>& source, sim::Stream<StreamBeat>& sink) {
  return of_width<StreamLink>(data_bits, name, clock, source, sink);
}

std::unique_ptr<PinLink> link_lite(const char* name, sim::ClockDomain& clock, const LiteStreams& manager,
                                   const LiteStreams& subordinate) {
  return std::make_unique<LiteLink>(name, clock, manager, subordinate);
}

}  // namespace fansim::axi
