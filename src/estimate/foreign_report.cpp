// SPDX-License-Identifier: Apache-2.0
#include "estimate/utilisation.h"

namespace fansim::estimate {

std::string foreign_report(const std::string& text) {
  struct Sign {
    const char *words, *what;
  };
  // The first that is found decides, so words that more than one report has come last.
  constexpr Sign kSigns[] = {
      {"Vitis HLS Report", "a report of Vitis HLS, whose figures are guesses before synthesis"},
      {"Vivado HLS Report", "a report of Vivado HLS, whose figures are guesses before synthesis"},
      {"<AreaEstimates>", "a report of Vitis HLS, whose figures are guesses before synthesis"},
      {"== Utilization Estimates", "a report of Vitis HLS, whose figures are guesses before synthesis"},
      {"Quartus", "a report of Quartus: its devices have ALMs and M20Ks"},
      {"Fitter Status", "a report of Quartus: its devices have ALMs and M20Ks"},
      {"Fitter Resource", "a report of Quartus: its devices have ALMs and M20Ks"},
      {"Logic utilization (in ALMs)", "a report of Quartus: its devices have ALMs and M20Ks"},
      {"Analysis & Synthesis", "a report of Quartus: its devices have ALMs and M20Ks"},
      {"Xilinx Mapping Report File", "a report of ISE"},
      {"Slice Logic Utilization:", "a report of ISE"},
      {"Device utilization summary:", "a report of ISE"},
      {"Release 14.", "a report of ISE"},
      {"Lattice Mapping Report", "a report of Lattice's tools"},
      {"Device utilisation:", "a log of nextpnr"},
      {"Device utilization:", "a log of nextpnr"},
      {"Design Timing Summary", "Vivado's report_timing_summary"},
      {"report_timing", "Vivado's report_timing"},
      {"report_power", "Vivado's report_power"},
      {"<RptDoc", "Vivado's report in XML"},
      {"Number of cells:", "Yosys's stat as text; give stat -json"},
      {"=== design hierarchy ===", "Yosys's stat as text; give stat -json"},
      {"Printing statistics.", "Yosys's stat as text; give stat -json"},
  };
  for (const Sign& sign : kSigns)
    if (text.find(sign.words) != std::string::npos) return sign.what;
  return "";
}

}  // namespace fansim::estimate
