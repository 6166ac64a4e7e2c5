// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "primitives/ram_cells.h"
#include "primitives/ram_ecc.h"

// Simulates what RAMB18E2 and RAMB36E2 have in common (UG573, chapter 1): two ports onto the same cells, collisions,
// cascade.
namespace fansim::primitives {

enum class WriteMode { no_change, read_first, write_first };
enum class RegisterPriority { rstreg, regce };
enum class CascadeOrder { none, first, middle, last };
enum class CollisionCheck { all, generate_x_only, warning_only, none };

struct RamPortConfig {
  int read_width = 0, write_width = 0;  // 0 if not used
  WriteMode write_mode = WriteMode::no_change;
  bool output_register = true;
  RegisterPriority priority = RegisterPriority::rstreg;
  bool heeds_address_enable = false;
  CascadeOrder cascade = CascadeOrder::none;
  bool falling_clock = false;
  RamWord init, srval;
};

// The pins of a port, active high. `write_enable` has a bit per byte.
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

struct EccPins {
  bool inject_single = false, inject_twofold = false, pipe_enable = true;
  EccFlags cascade;
};

class BlockRam {
 public:
  struct Config {
    std::array<RamPortConfig, 2> ports;
    bool simple_dual = false;  // port A only reads, port B only writes
    bool wide_read = false;    // port A's word takes both buses
    bool common_clock = false;
    CollisionCheck collisions = CollisionCheck::all;
    bool ecc_read = false, ecc_write = false, ecc_pipe = false;
  };
  struct Row {
    std::array<RamWord, 2> out;  // on the buses of ports A and B; a word that takes both buses appears whole on each
    EccFlags errors;
    std::uint64_t ecc_parity = 0;
    std::string report;  // says what the guide leaves undefined
  };

  BlockRam(const Config& config, RamCells cells);
  Row step(const RamPins& pins, const EccPins& ecc, bool sleep);

 private:
  struct Port {
    RamWord latch, pipe, output;
    RamWord written;             // the word after the last write in WRITE_FIRST
    bool shows_written = false;  // the outputs show `written` instead of `latch`
    std::uint64_t address = 0;   // as captured by the port
    bool out_select = false, register_select = false;
    int waking = 0;  // edges until the block may be accessed again
  };
  // What a port does at one edge.
  struct Access {
    bool active = false;  // the port's clock has an edge
    bool reads = false, writes = false, asleep = false, reset = false;
    RamWord data;
    RamMask mask{};  // which bits of `data` are written
    RamWord old;     // the word at the read address before the edge
  };
  using Accesses = std::array<Access, 2>;

  void edges(const RamPins& pins, const EccPins& ecc, bool sleep, bool falling, std::string& report);
  Access access(std::size_t side, const RamPins& pins, const EccPins& ecc, bool sleep, std::string& report);
  RamWord data(std::size_t side, const RamPortPins& pins, const EccPins& ecc);
  void latch(std::size_t side, const Access& access);
  void write(const Accesses& both);
  void collide(const Accesses& both, std::string& report);
  void collide_reading(std::size_t reader, const Accesses& both, std::string& report);
  bool same_cells(std::size_t writer, std::size_t other, int other_width) const;
  void clock_output(std::size_t side, const RamPortPins& pins);
  void clock_errors(const RamPortPins& pins, const EccPins& ecc);
  void clock_pipe(const EccPins& ecc);
  const RamWord& read_word(std::size_t side) const;
  RamWord out(std::size_t side, const RamPins& pins) const;
  bool marks_collisions() const;
  bool takes_cascade(std::size_t side) const;

  const Config config_;
  RamCells cells_;
  std::array<Port, 2> ports_;
  bool powers_up_ = true;
  bool has_read_ = false;  // port A has read; the pipe register waits for that
  EccFlags found_, piped_, registered_;
  std::uint64_t ecc_parity_ = 0;
};

}  // namespace fansim::primitives
