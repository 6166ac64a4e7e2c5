// SPDX-License-Identifier: Apache-2.0
#include "estimate/twins.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "estimate/twins/twin.h"

namespace fansim::estimate {
namespace {

const std::vector<Twin>& table() {
  static const std::vector<Twin> all = [] {
    std::vector<Twin> twins;
    for (const auto& part : {store_twins(), stream_array_twins(), lut_kernel_twins(), tiled_twins(), vision_twins()})
      twins.insert(twins.end(), part.begin(), part.end());
    return twins;
  }();
  return all;
}

double sum(const std::vector<double>& structures, const std::vector<double>& costs) {
  if (structures.size() != costs.size())
    throw std::logic_error(
        fmt::format("estimate: a twin has {} structures and {} coefficients (yosys_coefficients.cpp)",
                    structures.size(), costs.size()));
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
  throw std::logic_error("estimate: no twin " + twin);
}

TwinUse twin_use(const std::string& twin, const Parameters& parameters) {
  const Structure s = structure(twin, parameters);
  for (const TwinCoefficients& c : yosys_coefficients()) {
    if (c.twin != twin) continue;
    const double inner = s.inner.empty() ? 0 : twin_use(s.inner, s.inner_parameters).lut;
    return {inner + sum(s.lut, c.lut), sum(s.ff, c.ff), s.srl, s.bram36, s.dsp};
  }
  throw std::logic_error("estimate: no coefficients of twin " + twin);
}

contract::Resources TwinUse::resources() const {
  return {dsp, static_cast<int>(std::lround(lut)) + srl, static_cast<int>(std::lround(ff)), bram36, srl};
}

}  // namespace fansim::estimate
