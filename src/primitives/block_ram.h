// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "primitives/ram_cells.h"

// What RAMB18E2 and RAMB36E2 have in common (UG573, chapter 1): two ports onto the same cells, collisions, cascade.
namespace fansim::primitives {

enum class WriteMode { no_change, read_first, write_first };
enum class RegisterPriority { rstreg, regce };
enum class CascadeOrder { none, first, middle, last };
enum class CollisionCheck { all, generate_x_only, warning_only, none };

struct RamPortConfig {
  int read_width = 0, write_width = 0;  // 0: not used
  WriteMode write_mode = WriteMode::no_change;
  bool output_register = true;
  RegisterPriority priority = RegisterPriority::rstreg;
  bool heeds_address_enable = false;
  bool skips_same_address = false;  // RDADDRCHANGE
  CascadeOrder cascade = CascadeOrder::none;
  bool falling_clock = false;
  RamWord init, srval;
};

// The pins of a port, active high; `write_enable` has a bit per byte.
struct RamPortPins {
  bool clock = true, enable = false, address_enable = true;
  bool reset_latch = false, reset_register = false, register_enable = true;
  std::uint64_t address = 0, write_enable = 0;
  RamWord data;
  bool cascade_in_select = false;
  bool cascade_out_select = false, cascade_out_enable = true;
  bool cascade_register_select = false, cascade_register_enable = true;
  RamWord cascade_data;
};
using RamPins = std::array<RamPortPins, 2>;

class BlockRam {
 public:
  struct Config {
    std::array<RamPortConfig, 2> ports;
    bool common_clock = false;
    CollisionCheck collisions = CollisionCheck::all;
  };
  struct Row {
    std::array<RamWord, 2> out;  // of port A and B
    std::string report;          // what the documentation leaves undefined
  };

  BlockRam(const Config& config, RamCells cells);
  Row step(const RamPins& pins, bool sleep);

 private:
  struct Port {
    RamWord latch, output;
    std::uint64_t address = 0;  // as captured
    bool out_select = false, register_select = false;
    bool repeats = false;  // the latch holds what was read at `address`
    int waking = 0;        // edges until the block may be accessed again
  };
  // What a port does at one edge.
  struct Access {
    bool active = false;  // the clock has its edge
    bool reads = false, writes = false;
    std::uint64_t address = 0;
    RamWord data;
    RamMask mask{};  // the bits of `data` that are written
    RamWord old;     // at the read address, before the edge
  };
  using Accesses = std::array<Access, 2>;

  void edges(const RamPins& pins, bool sleep, bool falling, std::string& report);
  Access access(std::size_t side, const RamPortPins& pins, bool sleep, std::string& report);
  void write(const Accesses& both, std::string& report);
  void read(std::size_t side, const Accesses& both, std::string& report);
  void clock_output(std::size_t side, const RamPortPins& pins);
  RamWord out(std::size_t side, const RamPortPins& pins) const;
  bool marks_collisions() const;
  bool takes_cascade(std::size_t side) const;

  const Config config_;
  RamCells cells_;
  std::array<Port, 2> ports_;
};

}  // namespace fansim::primitives
