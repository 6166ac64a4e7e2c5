// SPDX-License-Identifier: Apache-2.0
#include "report/svg.h"

#include <fmt/format.h>

namespace fansim::report {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

std::string svg_text(double x, double y, const char* anchor, const std::string& words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, escaped(words));
}

std::string svg_drawing(const std::string& title, const std::string& content) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 440\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<title>{}</title>\n{}</svg>\n",
      escaped(title), content);
}

std::string html_page(const std::string& title, const std::string& drawing, const std::string& words) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\">"
      "<style>pre {{ overflow-x: auto }}</style><title>{0}</title></head>\n"
      "<body style=\"font-family: sans-serif; max-width: 60em; margin: 2em auto\">\n<h1>{0}</h1>\n{1}<pre>{2}</pre>\n"
      "</body>\n</html>\n",
      escaped(title), drawing, escaped(words));
}

}  // namespace fansim::report
