// SPDX-License-Identifier: Apache-2.0
#include "primitives/block_ram.h"

#include <utility>

namespace fansim::primitives {
namespace {

// UG573, SLEEP: two clock cycles of wake-up.
constexpr int kWakeUpEdges = 2;

RamMask byte_mask(std::uint64_t write_enable, int width) {
  if (width < 9) return {(write_enable & 1) != 0 ? ones(width) : 0, 0};
  RamMask mask{};
  for (int byte = 0; byte < width / 9; ++byte) {
    if ((write_enable >> byte & 1) == 0) continue;
    mask[kData] |= std::uint64_t{0xff} << 8 * byte;
    mask[kParity] |= std::uint64_t{1} << byte;
  }
  return mask;
}

void make_unknown(Bits& bits, std::uint64_t mask) {
  bits.value &= ~mask;
  bits.unknown |= mask;
}

Bits choose(const Bits& other, const Bits& chosen, std::uint64_t mask) {
  return {(other.value & ~mask) | (chosen.value & mask), (other.unknown & ~mask) | (chosen.unknown & mask)};
}

RamMask all_bits(int width) { return {ones(plane_bits(width, kData)), ones(plane_bits(width, kParity))}; }

RamWord unknown_word(int width) {
  const RamMask mask = all_bits(width);
  return {Bits{0, mask[kData]}, Bits{0, mask[kParity]}};
}

bool any(const RamMask& mask) { return (mask[kData] | mask[kParity]) != 0; }

}  // namespace

BlockRam::BlockRam(const Config& config, RamCells cells) : config_(config), cells_(std::move(cells)) {
  for (std::size_t side = 0; side < 2; ++side) ports_[side].latch = ports_[side].output = config.ports[side].init;
}

// A falling clock's edge comes after the outputs were sampled.
BlockRam::Row BlockRam::step(const RamPins& pins, bool sleep) {
  Row row;
  edges(pins, sleep, false, row.report);
  for (std::size_t side = 0; side < 2; ++side) row.out[side] = out(side, pins[side]);
  edges(pins, sleep, true, row.report);
  return row;
}

void BlockRam::edges(const RamPins& pins, bool sleep, bool falling, std::string& report) {
  Accesses both;
  for (std::size_t side = 0; side < 2; ++side) {
    if (!pins[side].clock || config_.ports[side].falling_clock != falling) continue;
    clock_output(side, pins[side]);
    both[side] = access(side, pins[side], sleep, report);
  }
  write(both, report);
  for (std::size_t side = 0; side < 2; ++side) {
    read(side, both, report);
    if (both[side].active && pins[side].enable && pins[side].reset_latch) {
      // UG573, RSTRAM: the latch becomes SRVAL; the cells are not touched by it.
      ports_[side].latch = config_.ports[side].srval;
      ports_[side].repeats = false;
    }
  }
}

BlockRam::Access BlockRam::access(std::size_t side, const RamPortPins& pins, bool sleep, std::string& report) {
  const RamPortConfig& config = config_.ports[side];
  Port& port = ports_[side];
  Access access;
  access.active = true;
  const bool asleep = sleep || port.waking > 0;
  port.waking = sleep ? kWakeUpEdges : port.waking - (port.waking > 0 ? 1 : 0);
  if (!pins.enable) return access;

  // UG573, ADDRENA: while it is low the old address remains latched.
  if (!config.heeds_address_enable || pins.address_enable) {
    port.repeats = port.repeats && port.address == pins.address;
    port.address = pins.address;
  }
  access.reads = config.read_width > 0;
  access.address = port.address;
  if (config.write_width > 0) access.mask = byte_mask(pins.write_enable, config.write_width);
  access.writes = any(access.mask);
  access.data = pins.cascade_in_select && takes_cascade(side) ? pins.cascade_data : pins.data;
  if (asleep) {
    report = "the block is accessed during SLEEP or its two clock cycles of wake-up (UG573)";
    access.data = unknown_word(config.write_width);
  }
  if (!access.reads) return access;
  access.old = asleep ? unknown_word(config.read_width) : cells_.read(access.address, config.read_width);
  return access;
}

bool BlockRam::marks_collisions() const {
  return config_.collisions == CollisionCheck::all || config_.collisions == CollisionCheck::generate_x_only;
}

bool BlockRam::takes_cascade(std::size_t side) const {
  const CascadeOrder order = config_.ports[side].cascade;
  return order == CascadeOrder::middle || order == CascadeOrder::last;
}

// UG573, Address Collision: cells that both ports write hold undetermined data.
void BlockRam::write(const Accesses& both, std::string& report) {
  for (std::size_t side = 0; side < 2; ++side) {
    if (both[side].writes)
      cells_.write(both[side].address, config_.ports[side].write_width, both[side].data, both[side].mask);
  }
  if (!both[0].writes || !both[1].writes || !marks_collisions()) return;
  const int width = config_.ports[0].write_width;
  RamMask twice = RamCells::seen(both[1].mask, both[1].address, config_.ports[1].write_width, both[0].address, width);
  for (const RamPlane plane : kRamPlanes) twice[plane] &= both[0].mask[plane];
  if (!any(twice)) return;
  cells_.write(both[0].address, width, unknown_word(width), twice);
  report = "both ports write the same cells (UG573, Address Collision)";
}

// UG573, Write Modes and the tables of Address Collision, bit by bit: what the port itself wrote, what the other one
// did, and what neither did.
void BlockRam::read(std::size_t side, const Accesses& both, std::string& report) {
  const Access& own = both[side];
  const Access& other = both[1 - side];
  if (!own.reads) return;
  const RamPortConfig& config = config_.ports[side];
  const RamPortConfig& other_config = config_.ports[1 - side];
  Port& port = ports_[side];

  const int width = config.read_width;
  const RamMask mine = RamCells::seen(own.mask, own.address, config.write_width, own.address, width);
  const RamMask theirs = RamCells::seen(other.mask, other.address, other_config.write_width, own.address, width);
  const RamWord after = cells_.read(own.address, width);
  const bool holds = own.writes && config.write_mode == WriteMode::no_change;
  const bool repeats = config.skips_same_address && port.repeats && !own.writes;
  const bool reliable = config_.common_clock && other_config.write_mode == WriteMode::read_first;

  for (const RamPlane plane : kRamPlanes) {
    Bits& latch = port.latch[plane];
    const std::uint64_t twice = mine[plane] & theirs[plane], unread = theirs[plane] & ~mine[plane];
    if (repeats) {
      // The cells are not accessed, so what was written since is not seen for certain.
      make_unknown(latch, (latch.value ^ own.old[plane].value) | (latch.unknown ^ own.old[plane].unknown));
    } else if (!holds) {
      latch = config.write_mode == WriteMode::write_first ? choose(own.old[plane], after[plane], mine[plane])
                                                          : own.old[plane];
      if (marks_collisions() && !reliable) make_unknown(latch, unread);
    }
    if (!marks_collisions()) continue;
    make_unknown(latch, twice);
    if (unread != 0 && !holds && !reliable && report.empty())
      report = "one port reads what the other writes (UG573, Address Collision)";
  }
  port.repeats = !own.writes;
}

// The registers behind the latch: its own output register, and those of the cascade multiplexers' selects.
void BlockRam::clock_output(std::size_t side, const RamPortPins& pins) {
  const RamPortConfig& config = config_.ports[side];
  Port& port = ports_[side];
  if (config.output_register) {
    const bool first = config.priority == RegisterPriority::rstreg;
    if (pins.reset_register && (first || pins.register_enable))
      port.output = config.srval;
    else if (pins.register_enable)
      port.output = port.register_select && takes_cascade(side) ? pins.cascade_data : port.latch;
  }
  if (pins.cascade_out_enable) port.out_select = pins.cascade_out_select;
  if (pins.cascade_register_enable) port.register_select = pins.cascade_register_select;
}

RamWord BlockRam::out(std::size_t side, const RamPortPins& pins) const {
  const Port& port = ports_[side];
  if (port.out_select && takes_cascade(side)) return pins.cascade_data;
  return config_.ports[side].output_register ? port.output : port.latch;
}

}  // namespace fansim::primitives
