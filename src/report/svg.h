// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

// The pieces of a drawing that all charts share.
namespace fansim::report {

constexpr double kLeft = 60, kRight = 620, kTop = 40, kBottom = 380;

std::string escaped(const std::string& text);
// Words at a place; `anchor` is start, middle or end.
std::string svg_text(double x, double y, const char* anchor, const std::string& words);
// The drawing with its title around what is in it.
std::string svg_drawing(const std::string& title, const std::string& content);
// A page that needs nothing beside itself: a drawing, and `words` set as they stand below it.
std::string html_page(const std::string& title, const std::string& drawing, const std::string& words);

}  // namespace fansim::report
