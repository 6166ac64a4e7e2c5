// SPDX-License-Identifier: Apache-2.0
#include "benches/kernel_stimulus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/csv.h"
#include "base/fields.h"
#include "base/overrides.h"

namespace fansim::benches {
namespace {

using base::CsvRow;
using base::UserError;
using contract::LutKernelConfig;
using Values = std::array<std::int16_t, blocks::kMaxKernelInputs>;

// Refuses a number of guard bits that is too small to bound the error.
void check_rounding(base::YamlMap& map, const arith::LutKernelFormat& format) {
  if (format.guard_bits == 0) return;
  if (!format.faithful) map.fail("guard_bits", "guard_bits: only 'faithful: true' cuts products");
  arith::LutKernelFormat bounded = format;
  bounded.guard_bits = 0;
  const arith::LutKernel kernel(bounded);
  if (format.guard_bits >= kernel.guard_bits()) return;
  map.fail("guard_bits",
           fmt::format("guard_bits {}: faithful rounding is proved for 2^guard_bits >= inputs x slices, here {} x {}; "
                       "{} are enough",
                       format.guard_bits, format.inputs, kernel.slices(), kernel.guard_bits()));
}

// Reads the configuration. The kernel has as many inputs as the header has values.
LutKernelConfig read_config(const CsvRow& header, const std::vector<std::string>& settings) {
  base::YamlNode document;
  document.kind = base::YamlNode::Kind::map;  // even if there are no settings
  base::apply_overrides(document, settings);
  base::YamlMap map(document);
  LutKernelConfig config;
  base::read_fields(map, config);
  map.finish();
  const int values = static_cast<int>(header.size()) - 1;
  if (values < 1 || values > blocks::kMaxKernelInputs)
    throw UserError(header[0].where, fmt::format("a kernel of {} inputs: expected the columns op, v0, v1, ..., with a "
                                                 "value for each of 1..{} inputs",
                                                 values, blocks::kMaxKernelInputs));
  if (map.has("inputs") && config.format.inputs != values)
    map.fail("inputs", fmt::format("inputs {}: the stimulus has {} columns of values", config.format.inputs, values));
  config.format.inputs = values;
  check_rounding(map, config.format);
  return config;
}

void check_header(const CsvRow& header) {
  for (std::size_t i = 0; i < header.size(); ++i) {
    const std::string name = i == 0 ? "op" : fmt::format("v{}", i - 1);
    if (header[i].text != name)
      throw UserError(header[i].where, fmt::format("column '{}': expected '{}'", header[i].text, name));
  }
}

Values values_of(const CsvRow& row, int bits) {
  Values values{};
  const int low = -(1 << (bits - 1)), high = -low - 1;
  for (std::size_t i = 1; i < row.size(); ++i) {
    const std::string& text = row[i].text;
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || error == std::errc::invalid_argument)
      throw UserError(row[i].where, fmt::format("v{}: expected a whole number, found '{}'", i - 1, text));
    if (error != std::errc() || value < low || value > high)
      throw UserError(row[i].where,
                      fmt::format("v{}: {} does not fit {} bits; allowed: {}..{}", i - 1, text, bits, low, high));
    values[i - 1] = static_cast<std::int16_t>(value);
  }
  return values;
}

// A set of coefficients must be used by a vector before the next set follows, since only then are the tables free.
void check_used(const CsvRow& row) {
  if (row[0].text == "coefficients") throw UserError(row[0].where, "coefficients without a row of inputs behind them");
}

std::int64_t exact_sum(const Values& x, const Values& coefficients) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::int64_t{x[i]} * coefficients[i];
  return sum;
}

void add_inputs(KernelStimulus& stimulus, const CsvRow& row, bool first_of_set) {
  if (stimulus.sets.empty()) throw UserError(row[0].where, "inputs before any coefficients");
  const Values x = values_of(row, stimulus.config.format.input_bits);
  stimulus.vectors.push_back({static_cast<int>(stimulus.vectors.size()), first_of_set, x});
  stimulus.exact.push_back(exact_sum(x, stimulus.sets.back().values));
}

}  // namespace

KernelStimulus parse_kernel_stimulus(std::string_view text, const std::string& file,
                                     const std::vector<std::string>& settings) {
  const std::vector<CsvRow> rows = base::parse_csv(text, file);
  if (rows.empty()) throw UserError({file, 0, 0}, "empty: expected the columns op, v0, v1, ...");
  check_header(rows[0]);
  KernelStimulus stimulus;
  stimulus.config = read_config(rows[0], settings);
  const std::vector<std::string> ops{"coefficients", "inputs"};
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const CsvRow& row = rows[r];
    if (row.size() != rows[0].size())
      throw UserError(row[std::min(row.size() - 1, rows[0].size())].where,
                      fmt::format("{} cells, but the header has {}", row.size(), rows[0].size()));
    if (std::find(ops.begin(), ops.end(), row[0].text) == ops.end())
      throw UserError(row[0].where,
                      fmt::format("op '{}' unknown{}", row[0].text, base::did_you_mean(row[0].text, ops)));
    const bool behind_set = rows[r - 1][0].text == "coefficients";
    if (row[0].text == "inputs") {
      add_inputs(stimulus, row, behind_set);
    } else {
      check_used(rows[r - 1]);
      stimulus.sets.push_back({values_of(row, stimulus.config.format.coefficient_bits)});
    }
  }
  check_used(rows.back());
  if (stimulus.vectors.empty()) throw UserError({file, 0, 0}, "no inputs under the header");
  return stimulus;
}

}  // namespace fansim::benches
