// SPDX-License-Identifier: Apache-2.0
#include "contract/ddr_part.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <tuple>

#include "base/overrides.h"
#include "base/random.h"
#include "support/user_error.h"

namespace fansim::ddr_part_test {

using Catch::Contains;
using test::message_of;

namespace {

const std::string kParts = std::string(FANSIM_SOURCE_DIR) + "/configs/parts/";

contract::DdrPart load(const std::string& name, const std::vector<std::string>& overrides = {}) {
  base::YamlNode document = base::load_yaml(kParts + name + ".yaml");
  base::apply_overrides(document, overrides);
  base::YamlMap map(document);
  contract::DdrPart part = contract::read_ddr_part(map);
  map.finish();
  return part;
}

template <class... Settings>
std::string refusal(const Settings&... settings) {
  return message_of([&] { load("ddr4_2133_x8_4gb", {settings...}); });
}

}  // namespace

TEST_CASE("the parts have the size and clock and rounded times of their data sheets' grades") {
  const contract::DdrPart board = load("ddr4_2133_x8_4gb");
  CHECK(board.bytes() == 4ULL << 30);
  CHECK(board.banks() == 16);
  CHECK(board.clock_mhz.text() == "3200/3");
  CHECK(load("ddr4_2133_x8").bytes() == 8ULL << 30);
  CHECK(load("ddr4_2133_x16").bytes() == 4ULL << 30);
  CHECK(load("ddr4_2400_x16").banks() == 8);
  // Holds a time of the standard, which becomes the smallest whole number of clocks that is not below its nanoseconds.
  struct Time {
    int contract::DdrPart::*clocks;
    int least;
    double ns_2133, ns_2400;
  };
  const Time times[] = {{&contract::DdrPart::trcd, 1, 14.06, 14.16}, {&contract::DdrPart::trp, 1, 14.06, 14.16},
                        {&contract::DdrPart::tras, 1, 33, 32},       {&contract::DdrPart::trc, 1, 47.06, 46.16},
                        {&contract::DdrPart::trrd_s, 4, 3.7, 3.3},   {&contract::DdrPart::trrd_l, 4, 5.3, 4.9},
                        {&contract::DdrPart::tccd_l, 5, 5.355, 5},   {&contract::DdrPart::tfaw, 20, 21, 21},
                        {&contract::DdrPart::twr, 1, 15, 15},        {&contract::DdrPart::twtr_s, 2, 2.5, 2.5},
                        {&contract::DdrPart::twtr_l, 4, 7.5, 7.5},   {&contract::DdrPart::trtp, 4, 7.5, 7.5},
                        {&contract::DdrPart::trefi, 1, 7800, 7800},  {&contract::DdrPart::trfc, 1, 350, 350}};
  for (const auto& [name, faster] : {std::pair{"ddr4_2133_x8", false}, std::pair{"ddr4_2400_x8", true}}) {
    const contract::DdrPart part = load(name);
    for (const Time& time : times) {
      const double clocks = (faster ? time.ns_2400 : time.ns_2133) * part.clock_mhz.value() / 1000;
      INFO(name << ", " << clocks << " clocks");
      CHECK(part.*time.clocks == std::max(time.least, static_cast<int>(std::ceil(clocks - 0.01))));
    }
  }
}

TEST_CASE("DDR3 and LPDDR4 have the size and clock and rounded times of their standards") {
  const contract::DdrPart old = load("ddr3_1066_x16"), module = load("ddr3_1600_x8"), low = load("lpddr4_2400_x32");
  CHECK(old.bytes() == 512ULL << 20);
  CHECK(module.bytes() == 1ULL << 30);
  CHECK(low.bytes() == 1ULL << 30);
  CHECK(old.access_bytes() == 32);
  CHECK(module.access_bytes() == 64);
  CHECK(low.access_bytes() == 64);
  struct Time {
    int contract::DdrPart::*clocks;
    int least;
    double ns_1066, ns_1600, ns_2400;
  };
  using P = contract::DdrPart;
  const Time times[] = {{&P::trcd, 1, 13.125, 13.75, 18}, {&P::trp, 1, 13.125, 13.75, 18},
                        {&P::tras, 1, 37.5, 35, 42},      {&P::trrd_s, 4, 10, 6, 10},
                        {&P::tfaw, 1, 50, 30, 40},        {&P::trfc, 1, 160, 110, 180}};
  for (const Time& time : times) {
    const auto check = [&](const P& part, double ns) {
      INFO(part.name << " " << ns);
      const double clocks = ns * part.clock_mhz.value() / 1000;
      CHECK(part.*time.clocks == std::max(time.least, static_cast<int>(std::ceil(clocks - 0.01))));
    };
    check(old, time.ns_1066);
    check(module, time.ns_1600);
    check(low, time.ns_2400);
  }
  for (const P& part : {old, module, low}) {
    CHECK(part.banks() == 8);
    CHECK(part.trc == part.tras + part.trp);
    CHECK(part.tccd_s == part.burst_clocks());
  }
  CHECK(old.trefi == 7800 * 16 / 30);
  CHECK(module.trefi == 7800 * 8 / 10);
  CHECK(low.trefi == 39040 * 12 / 100);
}

TEST_CASE("the board's map puts the bank group where its controller's registers do") {
  const contract::DdrPart part = load("ddr4_2133_x8_4gb");
  CHECK(part.mapping(0x40).group == 1);  // address bit 6
  CHECK(part.mapping(0x4000).group == 2);
  CHECK(part.mapping(0x8000).bank == 1);
  CHECK(part.mapping(0x4040).bank == 12);  // group 3
  CHECK(part.mapping(0x20000).row == 1);
  CHECK(part.mapping(0x80).column == 8);
  const contract::DdrPart early = load("ddr4_2133_x8_4gb", {"mapping=zcu102_rev_1_0"});
  CHECK(early.mapping(0x40).group == 0);
  CHECK(early.mapping(0x2000).group == 1);
  CHECK(early.mapping(0x1fff).column == 1023);
}

TEST_CASE("every layout sends different accesses to different places") {
  for (const std::string name : {"zcu102_ddr4_2133", "ddr4_2133_x8_4gb", "ddr4_2133_x8", "ddr4_2133_x16",
                                 "ddr4_2400_x8", "ddr4_2400_x16", "ddr3_1066_x16", "ddr3_1600_x8", "lpddr4_2400_x32"}) {
    const base::YamlNode document = base::load_yaml(kParts + name + ".yaml");
    for (const base::YamlEntry& entry : document.find("mappings")->entries) {
      INFO(name << " " << entry.key);
      const contract::DdrPart part = load(name, {"mapping=" + entry.key});
      base::Random random(3);
      std::set<std::tuple<int, int, int>> places;
      std::set<std::uint64_t> accesses;
      for (int i = 0; i < 3000; ++i) {
        const auto bytes = static_cast<std::uint64_t>(part.access_bytes());
        const std::uint64_t access = random.next() % (part.bytes() / bytes);
        accesses.insert(access);
        const contract::DdrPlace place = part.mapping(access * bytes + random.next() % bytes);
        REQUIRE(place.bank >> part.bank_bits == place.group);
        REQUIRE(place.bank < part.banks());
        places.emplace(place.bank, place.row, place.column / part.burst_length);
      }
      CHECK(places.size() == accesses.size());
    }
  }
}

TEST_CASE("a part that cannot be is refused with the place and what is allowed") {
  CHECK_THAT(refusal("mapping=zcu102_rev_1_2"), Contains("zcu102_rev_1_2"));
  CHECK_THAT(refusal("mapping=bank_interleave"), Contains("did you mean 'bank_interleaved'"));
  CHECK_THAT(refusal("mapping=row15 bank2 group2 column10"), Contains("byte has 0 bits; this part has 3"));
  CHECK_THAT(refusal("mapping=row15 bank2 group2 colum10 byte3"), Contains("did you mean 'column'"));
  CHECK_THAT(refusal("mapping=row15 bank2 column10 group2 byte3"), Contains("column3 byte3"));
  CHECK_THAT(refusal("mapping=row15 bank2 group column10 byte3"), Contains("'group' needs a number of bits"));
  CHECK_THAT(refusal("tCL=15"), Contains("tCL"));
  CHECK_THAT(refusal("cl=4"), Contains("allowed: an integer 5..64"));
  CHECK_THAT(refusal("burst_length=12"), Contains("allowed: 8 or 16"));
  CHECK_THAT(refusal("burst_length=16"), Contains("tccd_s 4 must not be below the 8 clocks"));
  CHECK_THAT(refusal("bank_bits=3"), Contains("make 32 banks; allowed: 16 at most"));
  CHECK_THAT(refusal("trfc=1200", "trefi=1200"), Contains("trfc 1200 must be below trefi 1200"));
  CHECK_THAT(refusal("cwl=16"), Contains("cwl 16 must not exceed cl 15"));
  CHECK_THAT(refusal("write_low=24"), Contains("write_low 24 must be below write_high 24"));
  CHECK_THAT(refusal("write_high=33"), Contains("must not exceed write_queue 32"));
  CHECK_THAT(refusal("data_bits=48"), Contains("allowed: 16, 32 or 64"));
  CHECK_THAT(refusal("clock_mhz=100"), Contains("clock_mhz 100 is out of range"));
  CHECK_THAT(refusal("trrd_s=7"), Contains("bank group's own spacing"));
}

TEST_CASE("consecutive accesses of a block in order go to one row or in turns to one row each of two groups") {
  const auto check = [](const std::string& layout, std::uint64_t bytes) {
    CAPTURE(layout);
    const contract::DdrPart part = load("ddr4_2133_x8_4gb", {"mapping=" + layout});
    REQUIRE(part.mapping.in_order_bytes() == bytes);
    base::Random random(1);
    for (int block = 0; block < 20; ++block) {
      const std::uint64_t from = static_cast<std::uint64_t>(random.uniform(0, 1 << 15)) * bytes;
      for (std::uint64_t at = from + 128; at < from + bytes; at += 64) {
        const contract::DdrPlace place = part.mapping(at), last = part.mapping(at - 64),
                                 before = part.mapping(at - 128);
        CHECK(std::make_tuple(place.bank, place.row) == std::make_tuple(before.bank, before.row));
        CHECK((place.group != last.group ||
               std::make_tuple(place.bank, place.row) == std::make_tuple(last.bank, last.row)));
      }
    }
  };
  check("row15 bank2 group1 column7 group1 column3 byte3", 16 << 10);
  check("row15 bank2 group2 column10 byte3", 8 << 10);
  check("row15 bank2 column7 group2 column3 byte3", 64);
  check("row15 bank2 group1 column5 group1 column5 byte3", 256);
}

}  // namespace fansim::ddr_part_test
