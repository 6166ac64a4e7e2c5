// SPDX-License-Identifier: Apache-2.0
#include "report/pages/page.h"

#include "report/escape.h"
#include "report/pages/assets.h"

namespace fansim::report {
namespace {

// Escapes "</", so that nothing in a script element looks like its end.
std::string harmless(std::string text) {
  for (std::size_t at = text.find("</"); at != std::string::npos; at = text.find("</", at)) text.replace(at, 2, "<\\/");
  return text;
}

void add_script(std::string& out, std::string_view script) {
  out += "<script>\n";
  out += script;
  out += "</script>\n";
}

}  // namespace

std::string html(const Page& page) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>" +
      escaped(page.title) + "</title>\n<style>\n";
  out += assets::style;
  out += "</style></head>\n<body>\n" + page.body + "<script type=\"application/json\" id=\"data\">\n" +
         harmless(page.data) + "</script>\n";
  add_script(out, assets::chart);
  add_script(out, assets::common);
  add_script(out, page.adapter);
  return out + "</body>\n</html>\n";
}

}  // namespace fansim::report
