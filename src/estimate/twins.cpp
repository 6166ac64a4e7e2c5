// SPDX-License-Identifier: Apache-2.0
#include "estimate/twins.h"

#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "base/units.h"
#include "estimate/bram.h"

namespace fansim::estimate {
namespace {

using base::ceil_div;

constexpr int kTagBits = 71;  // tests/rtl/tag.vh

// Parameters with the twin's own values for those left out.
class Values {
 public:
  Values(const Parameters& given, const Parameters& defaults) : values_(given) {
    values_.insert(defaults.begin(), defaults.end());
  }
  int operator[](const char* name) const { return values_.at(name); }

 private:
  Parameters values_;
};

Structure stream_register(const Values& p) { return {{1.0 * p["WIDTH"], 1}, {1.0 * p["WIDTH"], 1}}; }

// The tag waits in shift registers beside the table.
Structure activation(const Values& p) {
  const int lanes = p["OUTPUT_CHANNELS"];
  return {{1.0 * lanes, 1}, {1.0 * lanes, 1}, kTagBits, lanes * yosys_bram36(16, 4096), 0};
}

Structure quantiser(const Values& p) {
  const double lanes = p["OUTPUT_CHANNELS"], operand = p["OPERAND_BITS"];
  // A product of up to 27 x 18 bits takes one slice.
  const int dsp = p["OPERAND_BITS"] > 27 ? 2 : 1;
  return {{lanes, lanes * operand, lanes * operand * p["HALF_UP"], 1},
          {lanes, lanes * operand, 1},
          kTagBits + 11,
          0,
          p["OUTPUT_CHANNELS"] * dsp};
}

struct Twin {
  const char* name;
  Structure (*structure)(const Values&);
  Parameters defaults;
};

const std::vector<Twin>& table() {
  static const std::vector<Twin> twins{
      {"stream_register", stream_register, {{"WIDTH", 8}}},
      {"activation", activation, {{"OUTPUT_CHANNELS", 8}}},
      {"quantiser",
       quantiser,
       {{"OUTPUT_CHANNELS", 8}, {"ACCUMULATOR_BITS", 20}, {"OPERAND_BITS", 16}, {"HALF_UP", 0}}},
  };
  return twins;
}

double sum(const std::vector<double>& structures, const std::vector<double>& costs) {
  if (structures.size() != costs.size()) throw std::logic_error("yosys_coefficients.h does not fit twins.cpp");
  return std::inner_product(structures.begin(), structures.end(), costs.begin(), 0.0);
}

}  // namespace

std::vector<std::string> twins() {
  std::vector<std::string> names;
  for (const Twin& twin : table()) names.emplace_back(twin.name);
  return names;
}

Structure structure(const std::string& twin, const Parameters& parameters) {
  for (const Twin& known : table()) {
    if (known.name == twin) return known.structure(Values(parameters, known.defaults));
  }
  throw std::logic_error("no twin " + twin);
}

TwinUse twin_use(const std::string& twin, const Parameters& parameters) {
  const Structure s = structure(twin, parameters);
  for (const TwinCoefficients& c : yosys_coefficients()) {
    if (c.twin == twin) return {sum(s.lut, c.lut), sum(s.ff, c.ff), s.srl, s.bram36, s.dsp};
  }
  throw std::logic_error("no coefficients of twin " + twin);
}

arch::Resources TwinUse::resources() const {
  return {dsp, static_cast<int>(std::lround(lut)) + srl, static_cast<int>(std::lround(ff)), bram36};
}

}  // namespace fansim::estimate
