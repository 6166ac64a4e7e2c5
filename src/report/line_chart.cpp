// SPDX-License-Identifier: Apache-2.0
#include "report/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/svg.h"

namespace fansim::report {
namespace {

constexpr const char* kColours[] = {"#440154", "#443a83", "#31688e", "#21908c", "#35b779", "#8fd744", "#c7a50b"};

double largest(const LineChart& chart) {
  double top = 0;
  for (const LineChart::Line& line : chart.lines)
    for (const double value : line.values) top = std::max(top, value);
  return std::max(1.0, std::ceil(top));
}

double x_of(std::size_t place, std::size_t places) {
  return kLeft +
         (kRight - kLeft) * static_cast<double>(place) / static_cast<double>(std::max<std::size_t>(places - 1, 1));
}

double y_of(double value, double top) { return kBottom - (kBottom - kTop) * value / top; }

std::string axes(const LineChart& chart, double top) {
  std::string out;
  for (int mark = 0; mark <= static_cast<int>(top); ++mark) {
    const double y = y_of(mark, top);
    out +=
        fmt::format("<line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n", kLeft, y, kRight, y);
    out += svg_text(kLeft - 8, y + 4, "end", std::to_string(mark));
  }
  for (std::size_t i = 0; i < chart.places.size(); ++i)
    out += svg_text(x_of(i, chart.places.size()), kBottom + 18, "middle", chart.places[i]);
  out += svg_text((kLeft + kRight) / 2, kBottom + 40, "middle", chart.x_label);
  return out + svg_text(kLeft - 40, kTop - 14, "start", chart.y_label);
}

std::string line(const LineChart::Line& data, const char* colour, double top, double label_y) {
  std::string points;
  for (std::size_t i = 0; i < data.values.size(); ++i)
    points +=
        fmt::format("{}{:.1f},{:.1f}", i == 0 ? "M" : " L", x_of(i, data.values.size()), y_of(data.values[i], top));
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", points, colour) +
         fmt::format("<g fill=\"{}\">{}</g>\n", colour, svg_text(kRight + 10, label_y, "start", data.name));
}

}  // namespace

std::string svg(const LineChart& chart) {
  constexpr double kLabelHeight = 14;
  const double top = largest(chart);
  std::string out = axes(chart, top);
  // Labels stand at their lines' ends, from the highest down, never on one another.
  std::vector<std::size_t> order(chart.lines.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return chart.lines[a].values.back() > chart.lines[b].values.back();
  });
  double free = 0;
  for (const std::size_t i : order) {
    const double label = std::max(free, y_of(chart.lines[i].values.back(), top) + 4);
    out += line(chart.lines[i], kColours[i % std::size(kColours)], top, label);
    free = label + kLabelHeight;
  }
  return svg_drawing(chart.title, out);
}

std::string html_page(const LineChart& chart, const std::string& words) {
  return html_page(chart.title, svg(chart), words);
}

}  // namespace fansim::report
