// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <functional>
#include <stdexcept>

#include "accelerators/trainer/estimate/operators.h"
#include "base/data.h"
#include "estimate/float_technology.h"
#include "papers/float_trainer_parts.h"

namespace fansim::papers::float_trainer {
namespace {

using estimate::FloatGates;
using estimate::FloatOperator;
using report::Row;

const FloatGates& gates(FloatOperator which, int mantissa, int iterations = 0) {
  const FloatGates* found = estimate::find_float_gates(which, 8, mantissa, iterations);
  if (!found) throw std::logic_error("an operator of the reproduction was not synthesised");
  return *found;
}

// Counts how often each statement holds over the steps from one width to the next, with widths of 16, 20, 24, 28 and 32
// bits.
using Holds = std::function<bool(int narrow, int wide)>;
Row steps(const std::string& quantity, const std::string& source, const std::vector<Holds>& things) {
  const int mantissas[] = {7, 11, 15, 19, 23};
  int count = 0, all = 0;
  for (const Holds& holds : things)
    for (int i = 1; i < 5; ++i, ++all) count += holds(mantissas[i - 1], mantissas[i]);
  return {kPaper,
          quantity,
          "steps",
          all,
          static_cast<double>(count),
          0,
          source + ", stated without figures; steps from 16 to 32 bits, 4 at a time, at which the twins' gates agree"};
}

void add_widths(std::vector<Row>& rows) {
  struct Table {
    FloatOperator which;
    const char *name, *number;
  };
  for (const Table& table :
       {Table{FloatOperator::adder, "adder", "Table 4"}, Table{FloatOperator::multiplier, "multiplier", "Table 5"},
        Table{FloatOperator::array_divider, "array divider", "Table 6"}}) {
    const auto area = [&](int mantissa) { return gates(table.which, mantissa).area(); };
    const auto energy = [&](int mantissa) { return gates(table.which, mantissa).switched(); };
    rows.push_back(steps(fmt::format("{}: area, and energy, fall with the width", table.name), table.number,
                         {[&](int narrow, int wide) { return area(narrow) < area(wide); },
                          [&](int narrow, int wide) { return energy(narrow) < energy(wide); }}));
  }
  rows.push_back(steps("multiplier: energy falls faster than the adder's", "Table 5", {[](int narrow, int wide) {
                         const auto fall = [&](FloatOperator which) {
                           return gates(which, wide).switched() / gates(which, narrow).switched();
                         };
                         return fall(FloatOperator::multiplier) > fall(FloatOperator::adder);
                       }}));
  rows.push_back({kPaper, "array divider: delay, single over brain-16", "", 1,
                  static_cast<double>(gates(FloatOperator::array_divider, 23).levels) /
                      gates(FloatOperator::array_divider, 7).levels,
                  15, "Table 6, stated to be constant, at a fixed clock; levels of gates through all rows"});
}

struct Ratios {
  double area, delay, energy;
};

void add_ratios(std::vector<Row>& rows, const std::string& how, const Ratios& ratios) {
  const std::string at =
      "stated of the signed array against the reciprocal, without the width; the quantity is inferred";
  const auto add = [&](const std::string& quantity, double published, double simulated) {
    rows.push_back({kPaper, fmt::format("divider, reciprocal over array: {}, {}", quantity, how), "", published,
                    simulated, 15, at + (quantity[0] == 'a' ? " from the table's title" : "")});
  };
  add("area, 100 MHz", 4.5, ratios.area);
  add("area, 50 MHz", 6.1, ratios.area);
  add("delay, 50 MHz", 3.3, ratios.delay);
  add("delay, 100 MHz", 6.0, ratios.delay);
  add("energy, least", 17.5, ratios.energy);
  add("energy, most", 22.5, ratios.energy);
}

void add_dividers(std::vector<Row>& rows) {
  // The operators are brain-16's. Two iterations from a table of six bits give its eight bits.
  const estimate::OperatorCells by_rows = estimate::float_array_divider(8, 8),
                                by_products = estimate::float_reciprocal_divider(8, 8, 11, 6, 2);
  add_ratios(
      rows, "by formula",
      {by_products.gates / by_rows.gates, by_products.delay / by_rows.delay, by_products.toggles / by_rows.toggles});
  // The area is that of one iteration's three multipliers, which the other iterations use again.
  const FloatGates &array = gates(FloatOperator::array_divider, 7),
                   &one = gates(FloatOperator::reciprocal_divider, 7, 1),
                   &two = gates(FloatOperator::reciprocal_divider, 7, 2);
  add_ratios(
      rows, "synthesised",
      {one.gates / array.gates, static_cast<double>(two.levels) / array.levels, two.switched() / array.switched()});
  rows.push_back({kPaper,
                  "divider, reciprocal over array: area, synthesised, a multiplier for each product",
                  "",
                  4.5,
                  two.gates / array.gates,
                  {},
                  "stated of three multipliers; the twin, which is pipelined, has five"});
  rows.push_back({kPaper,
                  "divider, reciprocal over array: energy, synthesised, without any register",
                  "",
                  17.5,
                  two.through_toggles / array.through_toggles,
                  {},
                  "stated: 17.5 to 22.5; glitches go through all five products, which the paper's unit does not have "
                  "behind each other"});
}

struct Power {
  double mw, uj;
};

Power power_of(const trainer::Job& job, const Image& image) {
  const trainer::Config config = trainer::Config::read(base::data_path(kConfig), image.overrides);
  const auto switched = trainer::switched(trainer::operator_work(config, job), image.cycles);
  if (!switched) throw std::logic_error("an operator of the reproduction was not synthesised");
  const double pj = estimate::tsmc55().energy_pj(*switched);
  return {pj * config.clock_hz() / static_cast<double>(image.cycles) * 1e-9, pj * 1e-6};
}

}  // namespace

void add_operators(std::vector<Row>& rows) {
  add_dividers(rows);
  add_widths(rows);
}

void add_power(std::vector<Row>& rows, const trainer::Job& job, const Image& custom_24, const Image& brain_16,
               const Image& custom_16, const Image& mixed) {
  const double mw = power_of(job, custom_24).mw;
  const auto above = [&](const Image& image) { return 1e2 * (mw / power_of(job, image).mw - 1); };
  rows.push_back({kPaper, "dynamic power of custom-24, of the operators' gates", "mW", 30, mw, 0.5,
                  report::fitted("stated; the energy that a gate takes to switch is chosen for it")});
  rows.push_back({kPaper, "dynamic power of custom-24 above brain-16's", "%", 58, above(brain_16), 15,
                  "stated above a 16-bit format, which one is unclear; of the operators' gates"});
  rows.push_back({kPaper,
                  "dynamic power of custom-24 above custom-16's",
                  "%",
                  58,
                  above(custom_16),
                  {},
                  "the same, were it the other one, whose split is a parameter"});
  rows.push_back(
      {kPaper, "energy of a training image, mixed, of the operators' gates", "uJ", 8.5, power_of(job, mixed).uj, 15,
       "stated; by the energy of a gate that 30 mW of custom-24 fix, and the machine's operations and cycles"});
}

}  // namespace fansim::papers::float_trainer
