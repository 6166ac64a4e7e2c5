// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "axi/checker/axi4_rules.h"
#include "axi/checker/stream_rules.h"

namespace fansim::checker_test {

using namespace axi;

namespace {

std::vector<std::string> rules_of(const Findings& findings) {
  std::vector<std::string> names;
  for (const Finding& finding : findings.all()) names.push_back(finding.rule);
  return names;
}

using Names = std::vector<std::string>;

axi::AddressView burst(std::uint64_t addr, unsigned beats, axi::BurstKind kind = axi::BurstKind::incr,
                       unsigned size = 4) {
  axi::AddressView a;
  a.valid = a.ready = true;
  a.addr = addr;
  a.len = beats - 1;
  a.size = size;
  a.burst = static_cast<unsigned>(kind);
  return a;
}

// An AXI4 interface of 128 bit, one call an edge.
class Bus {
 public:
  explicit Bus(std::int64_t patience = 100) : rules(CheckerConfig{128, patience}) {}

  Bus& idle(int edges = 1) {
    for (int i = 0; i < edges; ++i) rules.edge({});
    return *this;
  }
  Bus& aw(const AddressView& a) {
    return edge([&](Axi4View& v) { v.aw = a; });
  }
  Bus& ar(const AddressView& a) {
    return edge([&](Axi4View& v) { v.ar = a; });
  }
  Bus& w(bool last, std::uint64_t strb = 0xffff, bool ready = true, std::uint8_t byte = 0) {
    return edge([&](Axi4View& v) {
      v.w.valid = true;
      v.w.ready = ready;
      v.w.last = last;
      v.w.strb = strb;
      v.w.data[0] = byte;
    });
  }
  Bus& b(std::uint32_t id = 0, unsigned resp = 0, bool ready = true) {
    return edge([&](Axi4View& v) { v.b = {true, ready, id, resp}; });
  }
  Bus& r(bool last, std::uint32_t id = 0, unsigned resp = 0, bool ready = true, std::uint8_t byte = 0) {
    return edge([&](Axi4View& v) {
      v.r.valid = true;
      v.r.ready = ready;
      v.r.id = id;
      v.r.resp = resp;
      v.r.last = last;
      v.r.data[0] = byte;
    });
  }
  template <class F>
  Bus& edge(F fill) {
    Axi4View view;
    fill(view);
    rules.edge(view);
    return *this;
  }
  Names found() const { return rules_of(rules.findings); }

  Axi4Rules rules;
};

AddressView waiting(AddressView a) {
  a.ready = false;
  return a;
}

}  // namespace

TEST_CASE("legal traffic breaks no rule: data before address and interleaved IDs and any kind of burst") {
  Bus bus;
  AddressView other = burst(0x2000, 2);
  other.id = 3;
  bus.w(false).w(true).aw(burst(0x1000, 2)).b();                                  // data lead
  bus.ar(burst(0x0, 2)).ar(other).r(false, 3).r(false, 0).r(true, 3).r(true, 0);  // interleaved
  bus.aw(burst(0x1ff0, 1)).w(true).b();                                           // up to the boundary
  bus.aw(burst(0x1003, 3, BurstKind::incr, 1)).w(false, 0x8).w(false, 0x30).w(true, 0xc0).b();
  bus.aw(burst(0x104, 16, BurstKind::fixed, 2));
  for (int i = 1; i <= 16; ++i) bus.w(i == 16, 0xf0);
  bus.b();
  bus.ar(burst(0x30, 4, BurstKind::wrap)).r(false).r(false).r(false).r(true);
  bus.ar(waiting(burst(0x40, 1))).ar(waiting(burst(0x40, 1))).ar(burst(0x40, 1)).r(true, 0, 0, false).r(true);
  bus.ar(burst(0x1004, 256)).idle(90);  // begins within its first beat and ends with the page
  for (int i = 1; i <= 256; ++i) bus.r(i == 256);
  CHECK(bus.found() == Names{});
  CHECK(bus.rules.beats() == 300);
}

TEST_CASE("an address that no burst may have is found once and before it is accepted") {
  const auto first = [](AddressView a) {
    Bus write, read;
    write.aw(waiting(a)).aw(a);
    read.ar(waiting(a)).ar(a);
    REQUIRE(write.found().size() == 1);
    REQUIRE(read.found().size() == 1);
    CHECK(write.found()[0].substr(3) == read.found()[0].substr(3));
    return write.found()[0];
  };
  AddressView a = burst(0x1000, 4);
  a.burst = 3;
  CHECK(first(a) == "aw_burst_reserved");
  CHECK(first(burst(0x1000, 1, BurstKind::incr, 5)) == "aw_size");
  CHECK(first(burst(0x1ff0, 2)) == "aw_boundary");
  CHECK(first(burst(0x1000, 17, BurstKind::fixed)) == "aw_fixed_length");
  CHECK(first(burst(0x1000, 3, BurstKind::wrap)) == "aw_wrap_length");
  CHECK(first(burst(0x1000, 1, BurstKind::wrap)) == "aw_wrap_length");
  CHECK(first(burst(0x1008, 4, BurstKind::wrap)) == "aw_wrap_unaligned");
  a = burst(0x1000, 4);
  a.cache = 0xc;
  CHECK(first(a) == "aw_cache");
  a = burst(0x1000, 16);
  a.lock = true;
  CHECK(first(a) == "aw_exclusive_size");
  a = burst(0x1010, 2);
  a.lock = true;
  CHECK(first(a) == "aw_exclusive_unaligned");
}

TEST_CASE("valid that falls and payload that changes are found on any channel at whichever stalled beat") {
  AddressView moved = burst(0x40, 1);
  CHECK(Bus().aw(waiting(moved)).idle().found() == Names{"aw_valid_dropped"});
  for (const char* field : {"id", "addr", "len", "size", "burst", "lock", "cache", "prot", "qos"}) {
    CAPTURE(field);
    const std::string name = field;
    AddressView other = waiting(burst(0x40, 2));
    AddressView start = other;
    if (name == "id") other.id = 1;
    if (name == "addr") other.addr = 0x80;
    if (name == "len") other.len = 3;
    if (name == "size") other.size = 3;
    if (name == "burst") other.burst = 0;
    if (name == "lock") other.lock = true;
    if (name == "cache") other.cache = 2;
    if (name == "prot") other.prot = 1;
    if (name == "qos") other.qos = 1;
    CHECK(Bus().ar(start).ar(start).ar(start).ar(other).found() == Names{"ar_payload_changed"});
  }
  const auto stalled = [](auto&& change) {
    Bus bus;
    bus.aw(burst(0x40, 4)).ar(burst(0x40, 4));
    change(bus);
    return bus.found();
  };
  CHECK(stalled([](Bus& b) { b.w(false, 0xffff, false).idle(); }) == Names{"w_valid_dropped"});
  CHECK(stalled([](Bus& b) { b.w(false, 0xffff, false).w(false, 0xffff, false).w(false, 0xffff, false, 1); }) ==
        Names{"w_payload_changed"});
  CHECK(stalled([](Bus& b) { b.w(false, 0xfffe, false).w(false, 0xfffe, true, 1); }) == Names{});  // no byte of it
  CHECK(stalled([](Bus& b) { b.w(false, 0xffff, false).w(false, 0x7fff); }) == Names{"w_payload_changed"});
  CHECK(stalled([](Bus& b) { b.r(false, 0, 0, false).r(false, 0, 0, false).r(false, 0, 0, true, 1); }) ==
        Names{"r_payload_changed"});
  CHECK(stalled([](Bus& b) { b.r(false, 0, 0, false).r(false, 0, 2); }) == Names{"r_payload_changed"});
  CHECK(stalled([](Bus& b) { b.w(false).w(false).w(false).w(true).b(0, 0, false).b(0, 2); }) ==
        Names{"b_payload_changed"});
}

TEST_CASE("valid in reset or at the first edge after it is found and reset forgets what was open") {
  Bus bus;
  bus.ar(burst(0, 1));
  bus.edge([](Axi4View& v) { v.resetn = false; });
  bus.edge([](Axi4View& v) {
    v.resetn = false;
    v.ar.valid = true;
  });
  bus.ar(waiting(burst(0, 1)));
  CHECK(bus.found() == Names{"ar_valid_in_reset", "ar_valid_in_reset"});
  bus.ar(burst(0, 1)).r(true).r(true);
  CHECK(bus.found().back() == "read_without_request");
}

TEST_CASE("wlast and rlast are found early and late whether data or address comes first") {
  CHECK(Bus().aw(burst(0, 3)).w(false).w(true).found() == Names{"wlast_early"});
  CHECK(Bus().aw(burst(0, 2)).w(false).w(false).found() == Names{"wlast_late"});
  CHECK(Bus().aw(burst(0, 2)).w(false).w(false).w(true).found() == Names{"wlast_late"});
  CHECK(Bus().w(true).aw(burst(0, 2)).found() == Names{"wlast_early"});
  CHECK(Bus().w(false).w(false).w(true).aw(burst(0, 2)).found().front() == "wlast_late");
  CHECK(Bus().ar(burst(0, 2)).r(true).found() == Names{"rlast_early"});
  CHECK(Bus().ar(burst(0, 2)).r(false).r(false).found() == Names{"rlast_late"});
}

TEST_CASE("a strobe outside the byte lanes of its beat is found") {
  CHECK(Bus().aw(burst(0x1004, 2, BurstKind::incr, 2)).w(false, 0xf0).w(true, 0xf0).found() == Names{"strobe"});
  CHECK(Bus().aw(burst(0x1003, 1)).w(true, 0xffff).found() == Names{"strobe"});
  CHECK(Bus().w(true, 0x1).aw(burst(0x8, 1, BurstKind::fixed, 2)).found() == Names{"strobe"});
}

TEST_CASE("responses come after their data and only where they are due") {
  CHECK(Bus().aw(burst(0, 2)).w(false).b().found() == Names{"response_before_data"});
  CHECK(Bus().b().found() == Names{"response_without_request"});
  CHECK(Bus().aw(burst(0, 1)).w(true).b(1).found() == Names{"response_without_request"});
  CHECK(Bus().aw(burst(0, 1)).w(true).b().b().found() == Names{"response_without_request"});
  CHECK(Bus().r(true).found() == Names{"read_without_request"});
  CHECK(Bus().ar(burst(0, 1)).r(true, 2).found() == Names{"read_without_request"});
  CHECK(Bus().aw(burst(0, 1)).w(true).b(0, 1).found() == Names{"b_exokay"});
  CHECK(Bus().ar(burst(0, 1)).r(true, 0, 1).found() == Names{"r_exokay"});
  // Data and response pass at the same edge, so the response did not wait for the data.
  Bus same;
  same.aw(burst(0, 1)).edge([](Axi4View& v) {
    v.w.valid = v.w.ready = v.w.last = true;
    v.b = {true, true, 0, 0};
  });
  CHECK(same.found() == Names{"response_before_data"});
}

TEST_CASE("whoever waits too long is found once") {
  const AddressView a = waiting(burst(0, 1));
  Bus bus(10);
  for (int i = 0; i < 30; ++i) bus.aw(a);
  CHECK(bus.found() == Names{"aw_hang"});
  CHECK(Bus(10).aw(burst(0, 1)).idle(30).found() == Names{"write_hang"});
  CHECK(Bus(10).w(true).idle(30).found() == Names{"write_hang"});
  CHECK(Bus(10).aw(burst(0, 1)).w(true).idle(30).found() == Names{"response_hang"});
  CHECK(Bus(10).ar(burst(0, 4)).idle(9).r(false).idle(30).found() == Names{"read_hang"});
}

TEST_CASE("a stream's checker finds what may not happen to a beat that waits") {
  const auto beat = [](bool ready, std::uint8_t byte, std::uint64_t keep, bool last) {
    StreamView v;
    v.valid = true;
    v.ready = ready;
    v.data[1] = byte;
    v.keep = keep;
    v.last = last;
    return v;
  };
  const auto found = [](const std::vector<StreamView>& edges) {
    StreamRules rules(CheckerConfig{128, 10});
    for (const StreamView& view : edges) rules.edge(view);
    return rules_of(rules.findings);
  };
  CHECK(found({beat(false, 1, 3, false), beat(true, 1, 3, false), beat(true, 2, 3, true)}) == Names{});
  CHECK(found({beat(false, 1, 1, false), beat(true, 2, 1, false)}) == Names{});  // byte 1 is not kept
  CHECK(found({beat(false, 1, 3, false), beat(false, 1, 3, false), beat(true, 2, 3, false)}) ==
        Names{"t_payload_changed"});
  CHECK(found({beat(false, 1, 3, false), beat(true, 1, 1, false)}) == Names{"t_payload_changed"});
  CHECK(found({beat(false, 1, 3, false), beat(true, 1, 3, true)}) == Names{"t_payload_changed"});
  CHECK(found({beat(false, 1, 3, false), StreamView{}}) == Names{"t_valid_dropped"});
  CHECK(found(std::vector<StreamView>(20, beat(false, 1, 3, false))) == Names{"t_hang"});
}

}  // namespace fansim::checker_test
