// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// These files are embedded into the program by the build (cmake/embed.cmake).
namespace fansim::report::assets {

extern const std::string_view chart;     // Chart.js as Debian packages it
extern const std::string_view style;     // style.css
extern const std::string_view common;    // common.js
extern const std::string_view run;       // run.js
extern const std::string_view front;     // front.js
extern const std::string_view rows;      // rows.js
extern const std::string_view sweep;     // sweep.js
extern const std::string_view compare;   // compare.js
extern const std::string_view campaign;  // campaign.js

}  // namespace fansim::report::assets
