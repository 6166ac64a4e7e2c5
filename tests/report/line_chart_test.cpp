// SPDX-License-Identifier: Apache-2.0
#include "report/line_chart.h"

#include <catch2/catch.hpp>

using namespace fansim;

namespace {

report::LineChart chart() {
  return {"reads < writes", "beats", "GiB/s", {"1", "2", "4"}, {{"a & b", {1, 2, 4}}, {"c", {3.5, 3.9, 4}}}};
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a chart draws a line per series, at its values") {
  const std::string svg = report::svg(chart());
  CHECK(count(svg, "<path") == 2);
  // The axis ends at 4: the first value stands a quarter up, the last at the top.
  CHECK_THAT(svg, Catch::Contains("d=\"M60.0,295.0 L340.0,210.0 L620.0,40.0\""));
  for (const char* label : {">beats<", ">GiB/s<", ">4<", ">c<"}) CHECK_THAT(svg, Catch::Contains(label));
}

TEST_CASE("labels of lines that end together do not lie on one another") {
  const std::string svg = report::svg(chart());
  CHECK_THAT(svg, Catch::Contains("y=\"44.0\" text-anchor=\"start\">a &amp; b<"));
  CHECK_THAT(svg, Catch::Contains("y=\"58.0\" text-anchor=\"start\">c<"));
}

TEST_CASE("a page is whole in itself and shows text as it stands") {
  const std::string page = report::html_page(chart(), "1 < 2\n");
  CHECK_THAT(page, Catch::StartsWith("<!DOCTYPE html>") && Catch::Contains("<pre>1 &lt; 2\n</pre>") &&
                       Catch::Contains("<h1>reads &lt; writes</h1>"));
  CHECK(count(page, "http") == 1);  // the name of SVG's namespace
}
