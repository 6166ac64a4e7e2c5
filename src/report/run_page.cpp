// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "report/run_report.h"
#include "report/svg.h"

namespace fansim::report {
namespace {

// RFC 4648, section 4.
std::string base64(const std::string& bytes) {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

// Two in a row, three where there are more.
std::string side_by_side(const std::vector<ShownPicture>& pictures) {
  if (pictures.empty()) return "";
  std::string figures;
  for (const ShownPicture& picture : pictures)
    figures += fmt::format(
        "<figure style=\"margin: 0\"><img style=\"width: 100%; image-rendering: pixelated\" alt=\"{0}\" "
        "src=\"data:image/png;base64,{1}\"><figcaption>{0}</figcaption></figure>\n",
        escaped(picture.caption), base64(picture.png));
  return fmt::format("<div style=\"display: grid; gap: 1em; grid-template-columns: repeat({}, 1fr)\">\n{}</div>\n",
                     std::min<std::size_t>(pictures.size(), pictures.size() > 2 ? 3 : 2), figures);
}

}  // namespace

std::string html(const RunReport& report, const std::vector<ShownPicture>& pictures) {
  return html_page(fmt::format("{} on {}", report.network.name, report.config.name), side_by_side(pictures),
                   fmt::format("{}\n{}\n", text(report), report.tool.command));
}

}  // namespace fansim::report
