// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// A vendor primitive is one class:
//
//   class Lut6_2 {
//    public:
//     struct Attributes {                                  // the vendor's names, defaults and legal values
//       std::uint64_t init = 0;
//       template <class V> void visit(V&& v) { v.bits("INIT", init, 64); }
//     };
//     struct Inputs {                                      // the initial value is what an open port reads
//       bool i0 = false;
//       template <class V> void visit(V&& v) { v.port("I0", i0); }
//     };
//     struct Outputs {
//       Bits o6;
//       std::string report;                                // what the guide leaves undefined in this row
//       template <class V> void visit(V&& v) { v.port("O6", o6, 1); }
//     };
//     explicit Lut6_2(const Attributes& attributes);       // base::UserError names what is illegal
//     Outputs step(const Inputs& inputs);
//   };
//
// step() is one row: the inputs are stable, then every clock that is 1 has its rising edge, then the outputs are
// sampled (combinational paths see the same inputs and the new state). A clock whose pin is inverted has its edge when
// the pin falls: after the outputs were sampled, with the same inputs.
//
// Attributes::visit takes v.integer(name, int&, lo, hi), v.choice(name, Enum&, {{value, "WORD"}...}),
// v.bits(name, std::uint64_t&, width), v.bits(name, Word256&, width) and v.text(name, std::string&, legal).
// Inputs::visit takes v.port(name, bool&), v.port(name, std::uint64_t&, width) and v.clock(name, bool&).
namespace fansim::primitives {

// The value of an output port. A bit that is set in `unknown` has no value, not even in the vendor's simulation
// library, and is 0 in `value`. A bit that is set in `beyond` has the library's value, because the vendor's guide
// leaves it undefined.
struct Bits {
  std::uint64_t value = 0;
  std::uint64_t unknown = 0;
  std::uint64_t beyond = 0;
};

constexpr std::uint64_t ones(int bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }
constexpr Bits undefined(int bits) { return {0, ones(bits), 0}; }
constexpr Bits known(std::uint64_t value) { return {value, 0, 0}; }
// Returns a known value. If `beyond` is set, only the library defines it.
constexpr Bits known(std::uint64_t value, int bits, bool beyond) { return {value, 0, beyond ? ones(bits) : 0}; }

struct PortRow {
  std::string name;
  int bits = 1;
  std::uint64_t open = 0;  // inputs: the value of an open port
  bool clock = false;
};

// Lists the ports that Inputs or Outputs declare.
class PortTable {
 public:
  void port(const char* name, const bool& open) { rows_.push_back({name, 1, open ? 1u : 0u, false}); }
  void port(const char* name, const std::uint64_t& open, int bits) { rows_.push_back({name, bits, open, false}); }
  void port(const char* name, const Bits&, int bits) { rows_.push_back({name, bits, 0, false}); }
  void clock(const char* name, const bool&) { rows_.push_back({name, 1, 0, true}); }
  const std::vector<PortRow>& rows() const { return rows_; }

 private:
  std::vector<PortRow> rows_;
};

// Writes values, one per declared port, into Inputs.
class PortWriter {
 public:
  explicit PortWriter(const std::vector<std::uint64_t>& values) : next_(values.data()) {}
  void port(const char*, bool& value) { value = *next_++ != 0; }
  void port(const char*, std::uint64_t& value, int) { value = *next_++; }
  void clock(const char*, bool& value) { value = *next_++ != 0; }

 private:
  const std::uint64_t* next_;
};

// Takes the values of Outputs, one per declared port.
class PortReader {
 public:
  void port(const char*, const Bits& value, int) { values_.push_back(value); }
  std::vector<Bits> values() && { return std::move(values_); }

 private:
  std::vector<Bits> values_;
};

}  // namespace fansim::primitives
