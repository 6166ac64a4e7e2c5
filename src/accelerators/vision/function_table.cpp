// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/function_table.h"

#include <fmt/format.h>

#include "openvx/stage.h"

namespace fansim::vision {
namespace {

using openvx::Facts;
using openvx::Function;
using Row = std::vector<std::string>;

// Lists base functions of OpenVX 1.1 that have no stage, and the reason.
struct Absent {
  const char* openvx;
  const char* why;
};
constexpr Absent kAbsent[] = {
    {"vxCannyEdgeDetector", "sobel3x3 is its gradient stage; suppression and hysteresis follow edges"},
    {"vxHarrisCorners",
     "sobel3x3 and accumulate_square are its gradient stages; the response needs 32 bits and a list"},
    {"vxFastCorners", "comparisons along a circle, and a list"},
    {"vxGaussianPyramid", "gaussian3x3 and half_scale, a pair of stages for each level"},
    {"vxLaplacianPyramid", "a Gaussian, half_scale and subtract; levels are not scaled up again"},
    {"vxNonLinearFilter", "median3x3, dilate3x3 and erode3x3 are its full masks"},
    {"vxHistogram", "counts in a memory, no slice"},
    {"vxEqualizeHist", "needs the histogram"},
    {"vxIntegralImage", "a sum of 32 bits over the whole image"},
    {"vxMeanStdDev", "two numbers of an image"},
    {"vxMinMaxLoc", "two numbers of an image and where they are"},
    {"vxTableLookup", "a memory, no slice"},
    {"vxConvertDepth", "stages say their result's type"},
    {"vxScaleImage", "half_scale alone"},
    {"vxWarpAffine", "reads pixels out of order"},
    {"vxWarpPerspective", "reads pixels out of order"},
    {"vxRemap", "reads pixels out of order"},
    {"vxOpticalFlowPyrLK", "an iteration over points"},
};

struct Cost {
  int latency = 0, slices = 0;
};

int window_of(Function function) {
  switch (function) {
    case Function::median5x5:
      return 5;
    default:
      return 3;
  }
}

// Returns the cost of filters that use the unit's banks one after another, and its scaler if the divisor is no power of
// two.
Cost filter_cost(const Config& c, Function function) {
  const int banks = function == Function::sobel3x3 ? 2 : 1;
  const int scalers = c.filter.scaler == Scaler::reciprocal ? c.pixels.samples * banks : 0;
  return {c.filter.latency(), c.pairs() * banks * c.filter.slices_of_pair() + scalers};
}

Cost median_cost(const Config& c, Function function) {
  const int values = window_of(function) * window_of(function);
  const bool median = function == Function::median3x3 || function == Function::median5x5;
  const int exchanges =
      median ? static_cast<int>(median_network(c.median.network, values).exchanges.size()) : values - 1;
  return {c.median.latency(), exchanges * base::ceil_div(c.pixels.samples, c.median.lanes())};
}

Cost simd_cost(const Config& c, Function function) {
  const bool multiplies = function == Function::multiply || function == Function::accumulate_square ||
                          function == Function::accumulate_weighted;
  const int groups = base::ceil_div(c.pixels.samples, c.simd.lanes());
  return {c.simd.latency(), 2 * groups + (multiplies ? c.pixels.samples : 0)};
}

bool fits(const Config& c, const Facts& facts) {
  switch (facts.unit) {
    case Facts::Unit::filter:
      return c.filter.exists();
    case Facts::Unit::median:
      return c.median.kernel >= window_of(facts.function);
    default:
      return true;
  }
}

Cost cost_of(const Config& c, const Facts& facts) {
  if (facts.unit == Facts::Unit::filter) return filter_cost(c, facts.function);
  return facts.unit == Facts::Unit::median ? median_cost(c, facts.function) : simd_cost(c, facts.function);
}

}  // namespace

std::vector<Row> function_table(const Config& config) {
  std::vector<Row> rows{{"function", "OpenVX 1.1", "how", "runs on", "cycles", "slices", "pixels a cycle"}};
  for (const Facts& facts : openvx::functions()) {
    Row row{facts.name, facts.openvx, facts.how, openvx::name(facts.unit), "", "", ""};
    if (facts.unit != Facts::Unit::host) {
      if (!fits(config, facts)) {
        row[2] += fmt::format("; needs {} of {}", facts.unit == Facts::Unit::median ? "median.kernel" : "filter.kernel",
                              window_of(facts.function));
      } else {
        const Cost cost = cost_of(config, facts);
        row[4] = std::to_string(cost.latency);
        row[5] = std::to_string(cost.slices);
        row[6] = std::to_string(config.pixels.samples);
      }
    }
    rows.push_back(std::move(row));
  }
  for (const Absent& absent : kAbsent) rows.push_back({"", absent.openvx, absent.why, "no stage", "", "", ""});
  rows.push_back({"perceptron", "", "WP490 Figures 7 and 8: 'multiplier: dsp48e2_int8_chain' of system stream",
                  "packed INT8", "", "", ""});
  return rows;
}

}  // namespace fansim::vision
