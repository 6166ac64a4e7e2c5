// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/part.h"
#include "runs/run.h"
#include "sim/waveform.h"

namespace fansim::cli {

// Holds what the user asked `fansim run` for.
struct RunOptions {
  runs::Request request;
  bool floats = false;
  std::string shape, model_outputs, calibration;  // for a network in ONNX
  std::string json, csv, counters, html;
  std::string inputs, labels;      // of a batch; empty: a single input
  std::optional<base::Part> part;  // of the batch
  int jobs = 1;                    // of the batch
  std::string vcd;
  waveforms::Words vcd_words = waveforms::Words::enums;
  bool vcd_windowed = false;
  sim::WaveformWindow vcd_window;
  std::string vcd_layer, timeline_layer;
  std::string timeline;
  bool timeline_windowed = false;
  sim::WaveformWindow timeline_window;
  bool allow_slack = false;          // a clock above Fmax is no misfit
  bool ranges = false;               // report ranges for what the run's time leaves open
  bool wide = false, quiet = false;  // form of the table
  bool help = false;                 // the help was printed, so nothing runs

  static RunOptions parse(const std::vector<std::string>& arguments);
};

}  // namespace fansim::cli
