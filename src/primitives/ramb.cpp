// SPDX-License-Identifier: Apache-2.0
#include "primitives/ramb.h"

#include <algorithm>

#include "base/error.h"
#include "primitives/init_file.h"

namespace fansim::primitives {
namespace {

// Splits INIT or SRVAL: the parity bits lie above the data bits of the port's width (UG573, Output Latches
// Initialization).
RamWord word_of(std::uint64_t value, int width) {
  const int data = plane_bits(width, kData);
  const std::uint64_t above = data < 64 ? value >> data : 0;  // the widest word is joined from two
  return {known(value & ones(data)), known(above & ones(plane_bits(width, kParity)))};
}

// Joins two words on two buses of `bus` data bits each.
RamWord join(const RamWord& low, const RamWord& high, int bus) {
  RamWord word;
  for (const RamPlane plane : kRamPlanes) {
    const int bits = plane == kData ? bus : bus / 8;
    word[plane] = {low[plane].value | high[plane].value << bits, low[plane].unknown | high[plane].unknown << bits, 0};
  }
  return word;
}

RamWord half(const RamWord& word, int bus, bool upper) {
  RamWord result;
  for (const RamPlane plane : kRamPlanes) {
    const int bits = plane == kData ? bus : bus / 8;
    const int shift = upper ? bits : 0;
    const Bits& from = word[plane];
    result[plane] = {from.value >> shift & ones(bits), from.unknown >> shift & ones(bits),
                     from.beyond >> shift & ones(bits)};
  }
  return result;
}

RamWord known_word(std::uint64_t data, std::uint64_t parity) { return {known(data), known(parity)}; }

template <class PortAttributes>
RamPortConfig port_config(const PortAttributes& port, bool falling) {
  RamPortConfig config;
  config.read_width = std::max(static_cast<int>(port.read_width), 1);  // the library treats 0 as 1
  config.write_width = static_cast<int>(port.write_width);
  config.write_mode = port.write_mode;
  config.output_register = port.do_reg == 1;
  config.priority = port.rstreg_priority;
  config.heeds_address_enable = port.enaddren;
  config.cascade = port.cascade_order;
  config.falling_clock = falling;
  config.init = word_of(port.init, config.read_width);
  config.srval = word_of(port.srval, config.read_width);
  return config;
}

void refuse(bool illegal, const std::string& message) {
  if (illegal) throw base::UserError(message);
}

template <class Port>
void refuse_widest(const Port& a, const Port& b, int widest) {
  const int read_a = static_cast<int>(a.read_width), read_b = static_cast<int>(b.read_width);
  const int write_a = static_cast<int>(a.write_width), write_b = static_cast<int>(b.write_width);
  refuse(read_b == widest, fmt::format("READ_WIDTH_B {} is illegal: only port A reads both buses (UG573)", widest));
  refuse(write_a == widest, fmt::format("WRITE_WIDTH_A {} is illegal: only port B writes both buses (UG573)", widest));
  refuse(read_a == widest && read_b != 0,
         fmt::format("READ_WIDTH_B {} is illegal with READ_WIDTH_A {}, which takes port B's outputs; legal: 0", read_b,
                     widest));
  refuse(write_b == widest && write_a != 0,
         fmt::format("WRITE_WIDTH_A {} is illegal with WRITE_WIDTH_B {}, which takes port A's data inputs; legal: 0",
                     write_a, widest));
}

}  // namespace

template <class Shape>
BlockRam::Config Ramb<Shape>::checked(const Attributes& attributes) {
  refuse_widest(attributes.a, attributes.b, kWidest);
  const bool wide_read = static_cast<int>(attributes.a.read_width) == kWidest;
  const bool wide_write = static_cast<int>(attributes.b.write_width) == kWidest;
  // Error correction needs words of 64 bits in simple dual-port use (UG573, Built-in Error Correction).
  refuse((attributes.ecc_read || attributes.ecc_pipe) && !wide_read,
         "EN_ECC_READ and EN_ECC_PIPE need READ_WIDTH_A 72 (UG573)");
  refuse(attributes.ecc_write && !wide_write, "EN_ECC_WRITE needs WRITE_WIDTH_B 72 (UG573)");
  BlockRam::Config config;
  config.ports[0] = port_config(attributes.a, attributes.inverted[0] != 0);
  config.ports[1] = port_config(attributes.b, attributes.inverted[1] != 0);
  if (wide_read) {
    constexpr int kOneBus = kWidest / 2;
    config.ports[0].init = join(word_of(attributes.a.init, kOneBus), word_of(attributes.b.init, kOneBus), Shape::kBus);
    config.ports[0].srval =
        join(word_of(attributes.a.srval, kOneBus), word_of(attributes.b.srval, kOneBus), Shape::kBus);
  }
  config.simple_dual = wide_read || wide_write;
  config.wide_read = wide_read;
  config.ecc_read = attributes.ecc_read;
  config.ecc_write = attributes.ecc_write;
  config.ecc_pipe = attributes.ecc_pipe;
  config.common_clock = attributes.common_clock;
  config.collisions = attributes.collisions;
  return config;
}

// The cells come from INIT_xx and INITP_xx, or from INIT_FILE in words of the wider read port.
template <class Shape>
RamCells Ramb<Shape>::contents(const Attributes& attributes) {
  RamCells cells(attributes.init, attributes.init_parity);
  if (attributes.init_file == "NONE") return cells;
  const int widest = std::max(static_cast<int>(attributes.a.read_width), static_cast<int>(attributes.b.read_width));
  read_init_file(attributes.init_file, std::max(widest, 1), cells);
  return cells;
}

template <class Shape>
Ramb<Shape>::Ramb(const Attributes& attributes)
    : wide_read_(static_cast<int>(attributes.a.read_width) == kWidest),
      wide_write_(static_cast<int>(attributes.b.write_width) == kWidest),
      cascade_{attributes.a.cascade_order, attributes.b.cascade_order},
      inverted_(attributes.inverted),
      ram_(checked(attributes), contents(attributes)) {}

template <class Shape>
RamPins Ramb<Shape>::pins(const Inputs& in) const {
  const auto pin = [this](bool value, std::size_t invertible) { return value != (inverted_[invertible] != 0); };
  RamPins pins;
  RamPortPins& a = pins[0];
  RamPortPins& b = pins[1];
  a.clock = in.clka;
  b.clock = in.clkb;
  a.enable = pin(in.ena, 2);
  b.enable = pin(in.enb, 3);
  a.reset_latch = pin(in.rstrama, 4);
  b.reset_latch = pin(in.rstramb, 5);
  a.reset_register = pin(in.rstrega, 6);
  b.reset_register = pin(in.rstregb, 7);
  a.address_enable = in.addrena;
  b.address_enable = in.addrenb;
  a.register_enable = in.regcea;
  b.register_enable = in.regceb;
  a.address = in.addra;
  b.address = in.addrb;
  a.write_enable = in.wea;
  b.write_enable = wide_read_ || wide_write_ ? in.webwe : in.webwe & ones(Shape::kBus / 8);
  a.cascade_in_select = in.casdimuxa;
  b.cascade_in_select = in.casdimuxb;
  a.cascade_out_select = in.casdomuxa;
  b.cascade_out_select = in.casdomuxb;
  a.cascade_out_enable = in.casdomuxen_a;
  b.cascade_out_enable = in.casdomuxen_b;
  a.cascade_register_select = in.casoregimuxa;
  b.cascade_register_select = in.casoregimuxb;
  a.cascade_register_enable = in.casoregimuxen_a;
  b.cascade_register_enable = in.casoregimuxen_b;
  a.data = known_word(in.dina, in.dinpa);
  b.data = known_word(in.dinb, in.dinpb);
  a.cascade_data = known_word(in.casdina, in.casdinpa);
  b.cascade_data = known_word(in.casdinb, in.casdinpb);
  const RamWord cascade = join(a.cascade_data, b.cascade_data, Shape::kBus);
  if (wide_write_) {
    b.data = join(a.data, b.data, Shape::kBus);
    b.cascade_data = cascade;
  }
  if (wide_read_) a.cascade_data = cascade;
  return pins;
}

template <class Shape>
typename Ramb<Shape>::Outputs Ramb<Shape>::step(const Inputs& in) {
  const EccFlags cascaded{known(in.casinsbiterr ? 1 : 0), known(in.casindbiterr ? 1 : 0), {}};
  BlockRam::Row row = ram_.step(pins(in), {in.injectsbiterr, in.injectdbiterr, in.eccpipece, cascaded}, in.sleep);
  row.out[1] = half(row.out[1], Shape::kBus, wide_read_);
  row.out[0] = half(row.out[0], Shape::kBus, false);
  Outputs out;
  out.report = std::move(row.report);
  out.douta = row.out[0][kData];
  out.doutpa = row.out[0][kParity];
  out.doutb = row.out[1][kData];
  out.doutpb = row.out[1][kParity];
  out.sbiterr = row.errors.single;
  out.dbiterr = row.errors.twofold;
  out.rdaddrecc = row.errors.address;
  out.eccparity = known(row.ecc_parity);
  const auto feeds_above = [this](std::size_t side) {
    return cascade_[side] == CascadeOrder::first || cascade_[side] == CascadeOrder::middle;
  };
  if (feeds_above(0)) {
    out.casdouta = out.douta;
    out.casdoutpa = out.doutpa;
    out.casoutsbiterr = out.sbiterr;
    out.casoutdbiterr = out.dbiterr;
  }
  if (feeds_above(1)) {
    out.casdoutb = out.doutb;
    out.casdoutpb = out.doutpb;
  }
  return out;
}

template class Ramb<Ramb18Shape>;
template class Ramb<Ramb36Shape>;

}  // namespace fansim::primitives
