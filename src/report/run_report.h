// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contract/device.h"
#include "contract/faults.h"
#include "contract/host.h"
#include "contract/resolved.h"
#include "contract/resources.h"
#include "contract/result.h"
#include "contract/statistics.h"
#include "estimate/estimate.h"
#include "report/span.h"

namespace fansim::report {

struct Tool {
  std::string version;
  std::string command;
};

struct Named {
  std::string name;
  std::string hash;
};

// What came of the inputs of a batch.
struct BatchReport {
  std::optional<std::int64_t> begin;  // of a part of the inputs: how many come before it
  std::int64_t count = 0;
  double seconds = 0;                      // that the simulation took
  std::vector<int> read;                   // of each input the output's largest element
  bool labelled = false;                   // if not, nothing is known of what follows
  std::int64_t first = 0, first_five = 0;  // inputs of which the largest, or one of the five largest, is right
  std::vector<std::vector<std::int64_t>> confusion;  // [shown][read]
  // Of the network of floats that it was made of, if that ran too: inputs read alike, and read right.
  std::optional<std::int64_t> as_floats;
  std::int64_t floats_first = 0;
};

// Frames back to back, in cycles (docs/timing.md, "Frames").
struct FrameReport {
  int count = 0;
  base::Cycles total = 0, first = 0, steady = 0;
  base::Cycles beside = 0, waited = 0;  // of each, on the host beside the next one, and that waits so long for it
};

// Everything a run has to say; the writers below only lay it out.
struct RunReport {
  Tool tool;
  Named config;
  contract::ResolvedConfig resolved;
  Named network;
  std::string engine;
  std::uint64_t seed = 1;
  contract::Account account;
  contract::Design design;
  contract::Loading loading;
  std::vector<contract::LayerResult> layers;
  contract::Resources resources;
  std::vector<estimate::BlockUse> blocks;  // that need them
  double memory_bytes_per_s = 0;           // that its ports carry at most, in one direction
  contract::Device device;
  std::string memory;                // a line on the memory's model; may be empty
  std::vector<std::string> misfits;  // "BRAM36 1024 of 912"; empty: the design fits
  double fmax_hz = 0;
  double power_w = 0;
  bool mapping = false;          // the layers' mapping is told in words and in JSON
  bool whole = true;             // all layers, and they take cycles: the total is a frame
  std::optional<bool> verified;  // empty: not compared
  std::optional<BatchReport> batch;
  std::optional<FrameReport> frames;
  std::optional<Span> span;
  std::optional<contract::FaultLog> faults;  // of a machine that has any
};

// All layers as one; name, type and hash are empty.
contract::LayerResult total(const RunReport& report);

// Cycles of the layers that the host computed by itself.
base::Cycles host_cycles(const RunReport& report);

// Of a report of all layers, one frame after another; what a frame takes at the estimated power.
double frames_per_s(const RunReport& report);
double energy_mj(const RunReport& report);

// A table for people; its first line is the answer, which is all that `answer` has. Where its columns do not fit into
// `columns` (0: any do), it has the most important ones, and the two largest reasons why the machine waited.
std::string text(const RunReport& report, std::size_t columns = 0);
std::string answer(const RunReport& report);
// Of layers whose mapping is known: their tiles, and what each operand moves. Empty: of none.
std::string mapping_text(const RunReport& report);
// Schema version 1.
std::string json(const RunReport& report);
// What every block counted in every layer, and what its counters mean. Schema version 1.
std::string counters_json(const RunReport& report);
// One row per layer.
std::string csv(const RunReport& report);

}  // namespace fansim::report
