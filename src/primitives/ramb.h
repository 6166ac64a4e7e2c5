// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "primitives/block_ram.h"

namespace fansim::primitives {

struct Ramb18Shape {
  static constexpr int kBus = 16;  // data bits of one port's bus
  static constexpr int kAddress = 14;
  static constexpr int kInits = 64, kParityInits = 8;
  static constexpr bool kEcc = false;
};
struct Ramb36Shape {
  static constexpr int kBus = 32;
  static constexpr int kAddress = 15;
  static constexpr int kInits = 128, kParityInits = 16;
  static constexpr bool kEcc = true;
};

enum class ReadWriteWidth { w0 = 0, w1 = 1, w2 = 2, w4 = 4, w9 = 9, w18 = 18, w36 = 36, w72 = 72 };

// RAMB18E2 and RAMB36E2 (UG974; UG573, Block RAM Attributes). Ports have the names of true dual-port use. The widest
// read of port A and the widest write of port B (36 or 72 bits) take both buses, with the lower half on port A's
// (UG573, table of the SDP port names).
template <class Shape>
class Ramb {
 public:
  struct PortAttributes {
    CascadeOrder cascade_order = CascadeOrder::none;
    int do_reg = 1;
    bool enaddren = false, rdaddrchange = false;
    std::uint64_t init = 0, srval = 0;
    ReadWriteWidth read_width = ReadWriteWidth::w0, write_width = ReadWriteWidth::w0;
    RegisterPriority rstreg_priority = RegisterPriority::rstreg;
    WriteMode write_mode = WriteMode::no_change;

    template <class V>
    void visit(V&& v, const std::string& port) {
      using C = CascadeOrder;
      v.choice("CASCADE_ORDER_" + port, cascade_order,
               {{C::none, "NONE"}, {C::first, "FIRST"}, {C::middle, "MIDDLE"}, {C::last, "LAST"}});
      v.integer("DO" + port + "_REG", do_reg, 0, 1);
      v.choice("ENADDREN" + port, enaddren, {{false, "FALSE"}, {true, "TRUE"}});
      v.bits("INIT_" + port, init, Shape::kBus / 8 * 9);
      v.choice("RDADDRCHANGE" + port, rdaddrchange, {{false, "FALSE"}, {true, "TRUE"}});
      visit_width(v, "READ_WIDTH_" + port, read_width);
      v.choice("RSTREG_PRIORITY_" + port, rstreg_priority,
               {{RegisterPriority::rstreg, "RSTREG"}, {RegisterPriority::regce, "REGCE"}});
      v.bits("SRVAL_" + port, srval, Shape::kBus / 8 * 9);
      v.choice("WRITE_MODE_" + port, write_mode,
               {{WriteMode::no_change, "NO_CHANGE"},
                {WriteMode::read_first, "READ_FIRST"},
                {WriteMode::write_first, "WRITE_FIRST"}});
      visit_width(v, "WRITE_WIDTH_" + port, write_width);
    }
    template <class V>
    static void visit_width(V& v, const std::string& name, ReadWriteWidth& width) {
      using W = ReadWriteWidth;
      if constexpr (Shape::kBus == 32)
        v.choice(name, width,
                 {{W::w0, "0"},
                  {W::w1, "1"},
                  {W::w2, "2"},
                  {W::w4, "4"},
                  {W::w9, "9"},
                  {W::w18, "18"},
                  {W::w36, "36"},
                  {W::w72, "72"}});
      else
        v.choice(
            name, width,
            {{W::w0, "0"}, {W::w1, "1"}, {W::w2, "2"}, {W::w4, "4"}, {W::w9, "9"}, {W::w18, "18"}, {W::w36, "36"}});
    }
  };

  struct Attributes {
    PortAttributes a, b;
    bool common_clock = false, sleep_async = false;
    bool ecc_pipe = false, ecc_read = false, ecc_write = false;
    CollisionCheck collisions = CollisionCheck::all;
    std::string init_file = "NONE";
    std::vector<Word256> init = std::vector<Word256>(Shape::kInits);
    std::vector<Word256> init_parity = std::vector<Word256>(Shape::kParityInits);
    std::array<std::uint64_t, 8> inverted{};  // in the order of kInvertible

    static constexpr std::array<const char*, 8> kInvertible{"CLKARDCLK",     "CLKBWRCLK", "ENARDEN",       "ENBWREN",
                                                            "RSTRAMARSTRAM", "RSTRAMB",   "RSTREGARSTREG", "RSTREGB"};
    template <class V>
    void visit(V&& v) {
      a.visit(v, "A");
      b.visit(v, "B");
      v.choice("CLOCK_DOMAINS", common_clock, {{false, "INDEPENDENT"}, {true, "COMMON"}});
      if constexpr (Shape::kEcc) {
        v.choice("EN_ECC_PIPE", ecc_pipe, {{false, "FALSE"}, {true, "TRUE"}});
        v.choice("EN_ECC_READ", ecc_read, {{false, "FALSE"}, {true, "TRUE"}});
        v.choice("EN_ECC_WRITE", ecc_write, {{false, "FALSE"}, {true, "TRUE"}});
      }
      for (std::size_t i = 0; i < init_parity.size(); ++i) v.bits(fmt::format("INITP_{:02X}", i), init_parity[i], 256);
      for (std::size_t i = 0; i < init.size(); ++i) v.bits(fmt::format("INIT_{:02X}", i), init[i], 256);
      v.text("INIT_FILE", init_file, "NONE | FILE");
      for (std::size_t i = 0; i < inverted.size(); ++i)
        v.bits(fmt::format("IS_{}_INVERTED", kInvertible[i]), inverted[i], 1);
      using C = CollisionCheck;
      v.choice("SIM_COLLISION_CHECK", collisions,
               {{C::all, "ALL"},
                {C::generate_x_only, "GENERATE_X_ONLY"},
                {C::warning_only, "WARNING_ONLY"},
                {C::none, "NONE"}});
      v.choice("SLEEP_ASYNC", sleep_async, {{false, "FALSE"}, {true, "TRUE"}});
    }
  };

  // Open ports read the values that the vendor's library gives them: ones for write enables and for enables of
  // registers, addresses and cascade selects; zero for all others. Where the library has z (addresses, data and
  // RAMB36E2's WEBWE) they have no value.
  struct Inputs {
    std::uint64_t addra = 0, addrb = 0, wea = ones(Shape::kBus / 8);
    std::uint64_t webwe = Shape::kEcc ? 0 : ones(Shape::kBus / 4);
    std::uint64_t dina = 0, dinpa = 0, dinb = 0, dinpb = 0, casdina = 0, casdinpa = 0, casdinb = 0, casdinpb = 0;
    bool addrena = true, addrenb = true, clka = true, clkb = true, ena = false, enb = false;
    bool casdimuxa = false, casdimuxb = false, casdomuxa = false, casdomuxb = false;
    bool casdomuxen_a = true, casdomuxen_b = true, casoregimuxa = false, casoregimuxb = false;
    bool casoregimuxen_a = true, casoregimuxen_b = true;
    bool casindbiterr = false, casinsbiterr = false, eccpipece = true, injectdbiterr = false, injectsbiterr = false;
    bool regcea = true, regceb = true, rstrama = false, rstramb = false, rstrega = false, rstregb = false;
    bool sleep = false;

    template <class V>
    void visit(V&& v) {
      constexpr int kBytes = Shape::kBus / 8;
      v.port("ADDRARDADDR", addra, Shape::kAddress);
      v.port("ADDRBWRADDR", addrb, Shape::kAddress);
      v.port("ADDRENA", addrena);
      v.port("ADDRENB", addrenb);
      v.port("CASDIMUXA", casdimuxa);
      v.port("CASDIMUXB", casdimuxb);
      v.port("CASDINA", casdina, Shape::kBus);
      v.port("CASDINB", casdinb, Shape::kBus);
      v.port("CASDINPA", casdinpa, kBytes);
      v.port("CASDINPB", casdinpb, kBytes);
      v.port("CASDOMUXA", casdomuxa);
      v.port("CASDOMUXB", casdomuxb);
      v.port("CASDOMUXEN_A", casdomuxen_a);
      v.port("CASDOMUXEN_B", casdomuxen_b);
      if constexpr (Shape::kEcc) {
        v.port("CASINDBITERR", casindbiterr);
        v.port("CASINSBITERR", casinsbiterr);
      }
      v.port("CASOREGIMUXA", casoregimuxa);
      v.port("CASOREGIMUXB", casoregimuxb);
      v.port("CASOREGIMUXEN_A", casoregimuxen_a);
      v.port("CASOREGIMUXEN_B", casoregimuxen_b);
      v.clock("CLKARDCLK", clka);
      v.clock("CLKBWRCLK", clkb);
      v.port("DINADIN", dina, Shape::kBus);
      v.port("DINBDIN", dinb, Shape::kBus);
      v.port("DINPADINP", dinpa, kBytes);
      v.port("DINPBDINP", dinpb, kBytes);
      if constexpr (Shape::kEcc) v.port("ECCPIPECE", eccpipece);
      v.port("ENARDEN", ena);
      v.port("ENBWREN", enb);
      if constexpr (Shape::kEcc) {
        v.port("INJECTDBITERR", injectdbiterr);
        v.port("INJECTSBITERR", injectsbiterr);
      }
      v.port("REGCEAREGCE", regcea);
      v.port("REGCEB", regceb);
      v.port("RSTRAMARSTRAM", rstrama);
      v.port("RSTRAMB", rstramb);
      v.port("RSTREGARSTREG", rstrega);
      v.port("RSTREGB", rstregb);
      v.port("SLEEP", sleep);
      v.port("WEA", wea, kBytes);
      v.port("WEBWE", webwe, 2 * kBytes);
    }
  };

  struct Outputs {
    Bits casdouta, casdoutb, casdoutpa, casdoutpb, douta, doutb, doutpa, doutpb;
    Bits casoutdbiterr, casoutsbiterr, dbiterr, eccparity, rdaddrecc, sbiterr;
    std::string report;

    template <class V>
    void visit(V&& v) {
      constexpr int kBytes = Shape::kBus / 8;
      v.port("CASDOUTA", casdouta, Shape::kBus);
      v.port("CASDOUTB", casdoutb, Shape::kBus);
      v.port("CASDOUTPA", casdoutpa, kBytes);
      v.port("CASDOUTPB", casdoutpb, kBytes);
      if constexpr (Shape::kEcc) {
        v.port("CASOUTDBITERR", casoutdbiterr, 1);
        v.port("CASOUTSBITERR", casoutsbiterr, 1);
        v.port("DBITERR", dbiterr, 1);
      }
      v.port("DOUTADOUT", douta, Shape::kBus);
      v.port("DOUTBDOUT", doutb, Shape::kBus);
      v.port("DOUTPADOUTP", doutpa, kBytes);
      v.port("DOUTPBDOUTP", doutpb, kBytes);
      if constexpr (Shape::kEcc) {
        v.port("ECCPARITY", eccparity, 8);
        v.port("RDADDRECC", rdaddrecc, 9);
        v.port("SBITERR", sbiterr, 1);
      }
    }
  };

  explicit Ramb(const Attributes& attributes);
  Outputs step(const Inputs& in);

 private:
  static constexpr int kWidest = 2 * Shape::kBus / 8 * 9;
  static BlockRam::Config checked(const Attributes& attributes);
  static RamCells contents(const Attributes& attributes);
  RamPins pins(const Inputs& in) const;

  const bool wide_read_, wide_write_;  // both buses: port A reads, port B writes; either makes simple dual-port use
  const std::array<CascadeOrder, 2> cascade_;
  const std::array<std::uint64_t, 8> inverted_;
  BlockRam ram_;
};

using Ramb18e2 = Ramb<Ramb18Shape>;
using Ramb36e2 = Ramb<Ramb36Shape>;

}  // namespace fansim::primitives
