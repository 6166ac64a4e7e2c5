// SPDX-License-Identifier: Apache-2.0
#include "report/scatter_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/svg.h"

namespace fansim::report {
namespace {

// An axis from one round number to another, five to ten marks in between.
struct Axis {
  double low = 0, high = 1, step = 1;

  double place(double value, double from, double to) const { return from + (to - from) * (value - low) / (high - low); }
};

Axis axis_of(double least, double most) {
  constexpr int kMarks = 5;
  const double span = most > least ? most - least : std::max(std::abs(most), 1.0);
  const double power = std::pow(10, std::floor(std::log10(span / kMarks)));
  const double digit = span / kMarks / power;
  Axis axis;
  axis.step = power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
  axis.low = std::floor(least / axis.step) * axis.step;
  axis.high = std::max(std::ceil(most / axis.step) * axis.step, axis.low + axis.step);
  return axis;
}

template <class Coordinate>
Axis axis_over(const std::vector<ScatterChart::Point>& points, Coordinate coordinate) {
  const auto [least, most] = std::minmax_element(
      points.begin(), points.end(), [&](const auto& a, const auto& b) { return coordinate(a) < coordinate(b); });
  return least == points.end() ? Axis{} : axis_of(coordinate(*least), coordinate(*most));
}

std::string grid(const Axis& x, const Axis& y) {
  const auto marks = [](const Axis& axis) { return static_cast<int>(std::lround((axis.high - axis.low) / axis.step)); };
  std::string out;
  for (int i = 0; i <= marks(y); ++i) {
    const double value = y.low + i * y.step, at = y.place(value, kBottom, kTop);
    out +=
        fmt::format("<line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n", kLeft, at, kRight, at);
    out += svg_text(kLeft - 8, at + 4, "end", fmt::format("{:.6g}", value));
  }
  for (int i = 0; i <= marks(x); ++i) {
    const double value = x.low + i * x.step;
    out += svg_text(x.place(value, kLeft, kRight), kBottom + 18, "middle", fmt::format("{:.6g}", value));
  }
  return out;
}

}  // namespace

std::string svg(const ScatterChart& chart) {
  const Axis x = axis_over(chart.points, [](const auto& p) { return p.x; });
  const Axis y = axis_over(chart.points, [](const auto& p) { return p.y; });
  std::string out = grid(x, y);
  for (const ScatterChart::Point& point : chart.points)
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#31688e\"><title>{}</title></circle>\n",
                       x.place(point.x, kLeft, kRight), y.place(point.y, kBottom, kTop), escaped(point.words));
  out += svg_text((kLeft + kRight) / 2, kBottom + 40, "middle", chart.x_label);
  out += svg_text(kLeft - 40, kTop - 14, "start", chart.y_label);
  return svg_drawing(chart.title, out);
}

}  // namespace fansim::report
