// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <string>

#include "estimate/utilisation.h"

namespace fansim::estimate {
namespace {

// Returns the command that wrote a report of Vivado, by its line "| Command      : report_power -file ...".
std::string command_of_vivado(const std::string& text) {
  const std::size_t key = text.find("| Command "), colon = key == std::string::npos ? key : text.find(':', key);
  if (colon == std::string::npos) return "";
  const std::size_t from = text.find_first_not_of(' ', colon + 1);
  if (from == std::string::npos || text.compare(from, 7, "report_") != 0) return "";
  const auto ends = [](char c) { return c != '_' && std::isalnum(static_cast<unsigned char>(c)) == 0; };
  const auto first = text.begin() + static_cast<std::ptrdiff_t>(from);
  return {first, std::find_if(first, text.end(), ends)};
}

}  // namespace

std::string foreign_report(const std::string& text) {
  const char *const hls = "a report of Vitis HLS, whose figures are guesses before synthesis",
                    *const quartus = "a report of Quartus, whose devices have ALMs and M20Ks",
                    *const ise = "a report of ISE", *const yosys = "Yosys's stat as text; give stat -json";
  struct Sign {
    const char *words, *what;
  };
  // The first that is found decides, so words that more than one report has come last.
  const Sign signs[] = {{"Vitis HLS Report", hls},
                        {"Vivado HLS Report", "a report of Vivado HLS, whose figures are guesses before synthesis"},
                        {"<AreaEstimates>", hls},
                        {"== Utilization Estimates", hls},
                        {"Quartus", quartus},
                        {"Fitter Status", quartus},
                        {"Fitter Resource", quartus},
                        {"Logic utilization (in ALMs)", quartus},
                        {"Analysis & Synthesis", quartus},
                        {"Xilinx Mapping Report File", ise},
                        {"Slice Logic Utilization:", ise},
                        {"Device utilization summary:", ise},
                        {"ISE Design Suite", ise},
                        {"Release 14.", ise},
                        {"Release 13.", ise},
                        {"Lattice", "a report of Lattice's tools"},
                        {"Gowin", "a report of Gowin's tools"},
                        {"Libero", "a report of Libero"},
                        {"Device utilisation:", "a log of nextpnr"},
                        {"Device utilization:", "a log of nextpnr"},
                        {"<RptDoc", "Vivado's report in XML"},
                        {"Number of cells:", yosys},
                        {"=== design hierarchy ===", yosys},
                        {"Printing statistics.", yosys}};
  const std::string command = command_of_vivado(text);
  if (!command.empty() && command != "report_utilization") return "Vivado's " + command;
  for (const Sign& sign : signs)
    if (text.find(sign.words) != std::string::npos) return sign.what;
  return "";
}

}  // namespace fansim::estimate
