// SPDX-License-Identifier: Apache-2.0
#include "estimate/twins.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <set>

#include "resources_csv.h"

namespace fansim::twins_test {

using test::Synthesised;

namespace {

// Returns by how much an estimate may be off.
double tolerance(double synthesised) { return std::max(8.0, 0.1 * synthesised); }

// The costs that minimise the sum of squared errors in units of the tolerance: normal equations, elimination with
// pivots. A structure that no point tells apart from the others costs nothing.
std::vector<double> fitted(const std::vector<std::vector<double>>& structures, const std::vector<double>& cells) {
  const std::size_t n = structures.at(0).size();
  std::vector<std::vector<double>> m(n, std::vector<double>(n + 1));
  for (std::size_t point = 0; point < cells.size(); ++point) {
    const double weight = 1 / std::pow(tolerance(cells[point]), 2);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) m[i][j] += weight * structures[point][i] * structures[point][j];
      m[i][n] += weight * structures[point][i] * cells[point];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto pivot = std::max_element(m.begin() + static_cast<std::ptrdiff_t>(i), m.end(),
                                        [i](const auto& a, const auto& b) { return std::abs(a[i]) < std::abs(b[i]); });
    std::iter_swap(m.begin() + static_cast<std::ptrdiff_t>(i), pivot);
    REQUIRE(std::abs(m[i][i]) > 1e-9);
    for (std::size_t row = 0; row < n; ++row) {
      const double factor = row == i ? 0 : m[row][i] / m[i][i];
      for (std::size_t j = i; j <= n; ++j) m[row][j] -= factor * m[i][j];
    }
  }
  std::vector<double> costs;
  for (std::size_t i = 0; i < n; ++i) costs.push_back(m[i][n] / m[i][i]);
  return costs;
}

struct Costs {
  std::vector<double> lut, ff;
};

Costs fit(const std::string& twin);

// Returns what the twin inside costs by the fit of that twin alone.
double inner_luts(const estimate::Structure& s) {
  if (s.inner.empty()) return 0;
  const std::vector<double> structures = estimate::structure(s.inner, s.inner_parameters).lut, costs = fit(s.inner).lut;
  return std::inner_product(structures.begin(), structures.end(), costs.begin(), 0.0);
}

Costs fit(const std::string& twin) {
  std::vector<std::vector<double>> lut, ff;
  std::vector<double> luts, ffs;
  for (const Synthesised& row : test::synthesised()) {
    if (row.twin != twin || !row.fit) continue;
    const estimate::Structure s = estimate::structure(twin, row.values());
    lut.push_back(s.lut);
    ff.push_back(s.ff);
    luts.push_back(row.lut - inner_luts(s));
    ffs.push_back(row.ff);
  }
  CAPTURE(twin);
  REQUIRE_FALSE(lut.empty());
  return {fitted(lut, luts), fitted(ff, ffs)};
}

std::string listed(const std::vector<double>& costs) {
  std::string text;
  for (const double cost : costs) text += fmt::format("{}{:.6g}", text.empty() ? "" : ", ", cost);
  return text;
}

}  // namespace

TEST_CASE(
    "the estimate meets synthesised twins: DSP and BRAM and SRL exactly and most LUT and FF within 10 % and 5 %") {
  double rows = 0, luts = 0, ffs = 0;
  for (const Synthesised& row : test::synthesised()) {
    CAPTURE(row.twin, row.parameters);
    const estimate::TwinUse use = estimate::twin_use(row.twin, row.values());
    CHECK(use.dsp == row.dsp);
    CHECK(use.bram36 == row.bram36);
    CHECK(use.srl == row.srl);
    const double lut = std::abs(use.lut - row.lut), ff = std::abs(use.ff - row.ff);
    CHECK(lut <= std::max(125.0, 0.2 * row.lut));
    CHECK(ff <= std::max(8.0, 0.1 * row.ff));
    ++rows;
    luts += lut <= tolerance(row.lut);
    ffs += ff <= std::max(8.0, 0.05 * row.ff);
  }
  CHECK(luts >= 0.95 * rows);
  CHECK(ffs >= 0.95 * rows);
}

TEST_CASE("the coefficients are the least squares of the fit points and held-out points have no part in them") {
  for (const estimate::TwinCoefficients& committed : estimate::yosys_coefficients()) {
    CAPTURE(committed.twin);
    const Costs costs = fit(committed.twin);
    CHECK(listed(costs.lut) == listed(committed.lut));
    CHECK(listed(costs.ff) == listed(committed.ff));
  }
}

TEST_CASE("every twin with parameters is judged on points that were held out") {
  std::set<std::string> held_out, known;
  for (const Synthesised& row : test::synthesised()) {
    known.insert(row.twin);
    if (!row.fit || row.parameters.empty()) held_out.insert(row.twin);
  }
  for (const std::string& twin : estimate::twins()) {
    CAPTURE(twin);
    CHECK(known.count(twin) == 1);
    CHECK(held_out.count(twin) == 1);
  }
}

TEST_CASE("print every synthesised twin beside its estimate", "[.compare]") {
  fmt::print(
      "twin,parameters,set,lut,ff,srl,bram36,dsp,estimated_lut,estimated_ff,estimated_srl,estimated_bram36,"
      "estimated_dsp\n");
  for (const Synthesised& row : test::synthesised()) {
    const estimate::TwinUse use = estimate::twin_use(row.twin, row.values());
    fmt::print("{},{},{},{},{},{},{},{},{:.2f},{:.2f},{},{},{}\n", row.twin, row.parameters,
               row.fit ? "fit" : "held_out", row.lut, row.ff, row.srl, row.bram36, row.dsp, use.lut, use.ff, use.srl,
               use.bram36, use.dsp);
  }
}

TEST_CASE("write the coefficients of the set yosys into src/estimate", "[.write]") {
  const std::string path = std::string(FANSIM_SOURCE_DIR) + "/src/estimate/yosys_coefficients.cpp";
  const std::string old = base::read_file(path);
  const std::string begin = "all{\n", end = "  };\n";
  const std::size_t from = old.find(begin) + begin.size();
  std::string rows;
  for (const std::string& twin : estimate::twins()) {
    const Costs costs = fit(twin);
    rows += fmt::format("      {{\"{}\", {{{}}}, {{{}}}}},\n", twin, listed(costs.lut), listed(costs.ff));
  }
  base::write_file(path, old.substr(0, from) + rows + old.substr(old.find(end, from)));
}

}  // namespace fansim::twins_test
