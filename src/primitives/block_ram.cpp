// SPDX-License-Identifier: Apache-2.0
#include "primitives/block_ram.h"

#include <algorithm>
#include <utility>

namespace fansim::primitives {
namespace {

// The block takes two clock cycles to wake up (UG573, SLEEP).
constexpr int kWakeUpEdges = 2;
// Injected errors flip bit 30, or bits 30 and 62 (UG573, INJECTSBITERR and INJECTDBITERR).
constexpr std::uint64_t kSingleError = std::uint64_t{1} << 30;
constexpr int kEccAddressShift = 6;  // from an address in bits to that of a word of 64 bits
constexpr std::uint64_t kTwofoldError = kSingleError | std::uint64_t{1} << 62;

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

RamWord unknown_word(int width) { return {undefined(plane_bits(width, kData)), undefined(plane_bits(width, kParity))}; }

void mark_beyond(RamWord& word, const RamMask& mask) {
  for (const RamPlane plane : kRamPlanes) word[plane].beyond |= mask[plane] & ~word[plane].unknown;
}

bool any(const RamMask& mask) { return (mask[kData] | mask[kParity]) != 0; }

}  // namespace

BlockRam::BlockRam(const Config& config, RamCells cells) : config_(config), cells_(std::move(cells)) {
  for (std::size_t side = 0; side < 2; ++side)
    ports_[side].latch = ports_[side].pipe = ports_[side].output = config.ports[side].init;
}

// One clock edge. Clocks that use the falling edge step after the outputs were sampled.
BlockRam::Row BlockRam::step(const RamPins& pins, const EccPins& ecc, bool sleep) {
  Row row;
  // While ADDREN is low, the old address remains latched (UG573).
  for (std::size_t side = 0; side < 2; ++side) {
    if (!config_.ports[side].heeds_address_enable || pins[side].address_enable)
      ports_[side].address = pins[side].address;
  }
  // A port in WRITE_FIRST shows this word if SLEEP keeps its first write from the cells.
  if (std::exchange(powers_up_, false)) {
    for (std::size_t side = 0; side < 2; ++side)
      ports_[side].written = cells_.read(ports_[side].address, config_.ports[side].read_width);
  }
  edges(pins, ecc, sleep, false, row.report);
  for (std::size_t side = 0; side < 2; ++side) row.out[side] = out(side, pins);
  row.errors = config_.ports[0].output_register ? registered_ : config_.ecc_pipe ? piped_ : found_;
  if (takes_cascade(0) && ports_[0].out_select) {
    row.errors.single = ecc.cascade.single;
    row.errors.twofold = ecc.cascade.twofold;
  }
  row.ecc_parity = ecc_parity_;
  edges(pins, ecc, sleep, true, row.report);
  return row;
}

void BlockRam::edges(const RamPins& pins, const EccPins& ecc, bool sleep, bool falling, std::string& report) {
  Accesses both;
  for (std::size_t side = 0; side < 2; ++side) {
    if (!pins[side].clock || config_.ports[side].falling_clock != falling) continue;
    both[side] = access(side, pins, ecc, sleep, report);
    if (side == 0) clock_errors(pins[side], ecc);
    clock_output(side, pins[side]);
    if (side == 0) clock_pipe(ecc);
    if (both[side].reads) latch(side, both[side]);
  }
  write(both);
  if (both[0].active && both[1].active && marks_collisions()) collide(both, report);
}

bool BlockRam::takes_cascade(std::size_t side) const {
  const CascadeOrder order = config_.ports[side].cascade;
  return order == CascadeOrder::middle || order == CascadeOrder::last;
}

BlockRam::Access BlockRam::access(std::size_t side, const RamPins& pins, const EccPins& ecc, bool sleep,
                                  std::string& report) {
  const RamPortConfig& config = config_.ports[side];
  const RamPortPins& own = pins[side];
  Port& port = ports_[side];
  Access access;
  access.active = true;
  access.asleep = sleep || port.waking > 0;
  port.waking = sleep ? kWakeUpEdges : port.waking - (port.waking > 0 ? 1 : 0);
  access.reset = pins[config_.simple_dual ? 0 : side].reset_latch;
  if (!own.enable) return access;

  const bool may_write = config.write_width > 0 && !(config_.simple_dual && side == 0);
  access.writes = may_write && own.write_enable != 0;
  access.reads = !(config_.simple_dual && side == 1) &&
                 (config.write_mode != WriteMode::no_change || !access.writes || access.reset);
  if (access.asleep && (access.reads || access.writes))
    report = "the block is accessed during SLEEP or its two clock cycles of wake-up (UG573); nothing is written";
  if (access.writes) access.mask = byte_mask(own.write_enable, config.write_width);
  access.data = data(side, own, ecc);
  if (access.reads) access.old = cells_.read(port.address, config.read_width);
  return access;
}

// Returns what a port writes. ECCPARITY shows the check bits of the word before errors are injected.
RamWord BlockRam::data(std::size_t side, const RamPortPins& pins, const EccPins& ecc) {
  RamWord data = pins.cascade_in_select && takes_cascade(side) ? pins.cascade_data : pins.data;
  if (side == 0 || !config_.ecc_write) return data;
  ecc_parity_ = primitives::ecc_parity(data[kData].value);
  data[kParity] = known(ecc_parity_);
  data[kData].value ^= ecc.inject_twofold ? kTwofoldError : ecc.inject_single ? kSingleError : 0;
  return data;
}

// The latch takes the old word, and in WRITE_FIRST the word that is written beside it (UG573, Write Modes). RSTRAM sets
// it to SRVAL.
void BlockRam::latch(std::size_t side, const Access& access) {
  const RamPortConfig& config = config_.ports[side];
  Port& port = ports_[side];
  if (config.write_mode == WriteMode::write_first && !config_.simple_dual)
    port.shows_written = access.writes && !access.reset;
  RamWord found = access.old;
  if (side == 0) {
    found_ = {};
    if (config_.ecc_read && !access.reset) {
      found = ecc_corrected(access.old, found_);
      found_.address = known(port.address >> kEccAddressShift);
    }
    has_read_ = has_read_ || (!access.asleep && !access.reset);
  }
  port.latch = access.asleep ? unknown_word(config.read_width) : access.reset ? config.srval : found;
}

void BlockRam::write(const Accesses& both) {
  const auto written = [&](std::size_t side) { return both[side].writes && !both[side].asleep; };
  for (std::size_t side = 0; side < 2; ++side) {
    if (written(side))
      cells_.write(ports_[side].address, config_.ports[side].write_width, both[side].data, both[side].mask);
  }
  for (std::size_t side = 0; side < 2; ++side) {
    if (written(side) && config_.ports[side].write_mode == WriteMode::write_first)
      ports_[side].written = cells_.read(ports_[side].address, config_.ports[side].read_width);
  }
}

bool BlockRam::marks_collisions() const {
  return config_.collisions == CollisionCheck::all || config_.collisions == CollisionCheck::generate_x_only;
}

// Returns whether the word that `writer` writes and the other port's word of `other_width` share cells.
bool BlockRam::same_cells(std::size_t writer, std::size_t other, int other_width) const {
  const int widest = std::max(plane_bits(config_.ports[writer].write_width, kData), plane_bits(other_width, kData));
  const auto bits = static_cast<std::uint64_t>(widest);
  return ports_[writer].address / bits == ports_[other].address / bits;
}

// Address collisions (UG573). The vendor's library handles whole words, not bits. If both ports write, the words that
// port A writes are lost, and so are both latches. If one port writes, the other's latch is lost unless the writer is
// READ_FIRST. A port that is reset does not collide.
void BlockRam::collide(const Accesses& both, std::string& report) {
  if (both[0].reset || both[1].reset) return;
  if (!both[0].writes || !both[1].writes) {
    for (std::size_t side = 0; side < 2; ++side) collide_reading(side, both, report);
    return;
  }
  if (!same_cells(0, 1, config_.ports[1].write_width)) return;
  cells_.write(ports_[0].address, config_.ports[0].write_width, unknown_word(config_.ports[0].write_width),
               both[0].mask);
  for (std::size_t side = 0; side < 2; ++side) {
    const RamPortConfig& config = config_.ports[side];
    ports_[side].latch = unknown_word(config.read_width);
    const RamMask all{ones(plane_bits(config.read_width, kData)), ones(plane_bits(config.read_width, kParity))};
    mark_beyond(ports_[side].written, all);
  }
  report = "both ports write the same cells (UG573, Address Collision)";
}

void BlockRam::collide_reading(std::size_t reader, const Accesses& both, std::string& report) {
  const std::size_t writer = 1 - reader;
  const RamPortConfig& config = config_.ports[reader];
  if (!both[reader].reads || !both[writer].writes || !same_cells(writer, reader, config.read_width)) return;
  const bool old = config_.ports[writer].write_mode == WriteMode::read_first;
  if (old && config_.common_clock) return;
  const RamMask seen = RamCells::seen(both[writer].mask, ports_[writer].address, config_.ports[writer].write_width,
                                      ports_[reader].address, config.read_width);
  if (old)
    mark_beyond(ports_[reader].latch, seen);
  else
    ports_[reader].latch = unknown_word(config.read_width);
  if (any(seen)) report = "one port reads what the other writes (UG573, Address Collision)";
}

const RamWord& BlockRam::read_word(std::size_t side) const {
  const Port& port = ports_[side];
  if (port.shows_written) return port.written;
  return side == 0 && config_.ecc_pipe ? port.pipe : port.latch;
}

// Steps the registers behind the latch: the ECC pipe register, the output register, and the registers of the cascade
// multiplexers' selects.
void BlockRam::clock_output(std::size_t side, const RamPortPins& pins) {
  if (config_.simple_dual && side == 1) return;
  const RamPortConfig& config = config_.ports[side];
  Port& port = ports_[side];
  const bool first = config.priority == RegisterPriority::rstreg;
  if (pins.reset_register && (first || pins.register_enable))
    port.output = config.srval;
  else if (pins.register_enable)
    port.output = port.register_select && takes_cascade(side) ? pins.cascade_data : read_word(side);
  if (pins.cascade_out_enable) port.out_select = pins.cascade_out_select;
  if (pins.cascade_register_enable) port.register_select = pins.cascade_register_select;
}

// SBITERR, DBITERR and RDADDRECC take the same path as port A's word, except that RSTRAM resets their register.
void BlockRam::clock_errors(const RamPortPins& pins, const EccPins& ecc) {
  EccFlags next = config_.ecc_pipe ? piped_ : found_;
  if (takes_cascade(0) && ports_[0].register_select) {
    next.single = ecc.cascade.single;
    next.twofold = ecc.cascade.twofold;
  }
  if (pins.reset_latch)
    registered_ = {};
  else if (pins.register_enable)
    registered_ = next;
}

void BlockRam::clock_pipe(const EccPins& ecc) {
  if (!config_.ecc_pipe || !ecc.pipe_enable || !has_read_) return;
  ports_[0].pipe = ports_[0].latch;
  piped_ = found_;
}

// A word that takes both buses is port A's. Port A also chooses for both buses whether they show that word or the
// cascade's.
RamWord BlockRam::out(std::size_t side, const RamPins& pins) const {
  const std::size_t source = config_.wide_read ? 0 : side;
  const bool cascaded = ports_[source].out_select && takes_cascade(side);
  if (cascaded) return pins[source].cascade_data;
  return config_.ports[source].output_register ? ports_[source].output : read_word(source);
}

}  // namespace fansim::primitives
