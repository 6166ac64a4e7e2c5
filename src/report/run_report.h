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
#include "estimate/energy.h"
#include "estimate/timing.h"
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

// Holds the results of a batch of inputs.
struct BatchReport {
  std::optional<std::int64_t> begin;  // number of inputs before the part that ran; none: all ran
  std::int64_t count = 0;
  double seconds = 0;                      // wall-clock time of the simulation
  std::vector<int> read;                   // for each input, the index of the output's largest element
  bool labelled = false;                   // false: the fields below are unknown
  std::int64_t first = 0, first_five = 0;  // inputs whose label is the largest element, or one of the five largest
  std::vector<std::vector<std::int64_t>> confusion;  // [shown][read]
  // These hold the result of the float network from which the network was made, if that ran too: the inputs that both
  // classify alike, and those that it classifies correctly.
  std::optional<std::int64_t> as_floats;
  std::int64_t floats_first = 0;
};

// Holds the cycles of frames that run back to back (docs/timing.md, "Frames"). `steady` is for as many frames as the
// machine computes at once.
struct FrameReport {
  int count = 0;
  base::Cycles total = 0, first = 0, steady = 0;
  base::Cycles beside = 0, waited = 0;  // per frame: host cycles beside the next frame, and cycles that the next frame
                                        // waits for them
};

// Holds everything that a run reports; the functions below only format it.
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
  std::vector<estimate::BlockUse> blocks;      // the blocks that need resources, with what they need
  int accumulator_bits = 0, operand_bits = 0;  // of the quantiser
  double memory_bytes_per_s = 0;               // the most that its ports carry in one direction
  contract::Device device;
  std::string memory;                // one line about the model of the memory; may be empty
  std::vector<std::string> misfits;  // "BRAM36 1024 of 912"; empty: the design fits
  estimate::Timing timing;           // its clock against its Fmax
  bool slack_allowed = false;        // a clock above Fmax is no misfit
  double power_w = 0;
  std::optional<estimate::Energy> energy;  // of a frame; none: the run is no frame
  std::string processing_system_source;    // where that part of the power is from
  bool mapping = false;                    // the text and the JSON show the layers' mapping
  bool whole = true;                       // the run has all layers with cycles, so the total is one frame
  std::optional<bool> verified;            // empty: no comparison was made
  std::optional<BatchReport> batch;
  std::optional<FrameReport> frames;
  std::optional<Span> span;
  std::optional<Reach> reach;                // none: not asked for, or `span` says it
  std::optional<contract::FaultLog> faults;  // none: the machine logs no faults
};

// Adds up all layers; name, type and hash stay empty.
contract::LayerResult total(const RunReport& report);

// Says that timing is missed or cannot be told; empty: it is met, or its misfit is among the others.
std::string timing_text(const RunReport& report);

// Returns the cycles of the layers that the host computed by itself.
base::Cycles host_cycles(const RunReport& report);

// These need a report of all layers, with one pass through them after another, which computes a frame or several.
// energy_mj() is the energy that a frame takes in the chip at the estimated power, without the memory's.
double frames_per_s(const RunReport& report);
double energy_mj(const RunReport& report);

// Formats a table for people. Its first line is the answer, which is all that `answer` returns. If the table is wider
// than `columns` (0: any width fits), it shows only the most important columns and the two largest reasons why the
// machine waited.
std::string text(const RunReport& report, std::size_t columns = 0);
std::string answer(const RunReport& report);
// Shows, for layers whose mapping is known, their tiles and how much each operand moves. It is empty if there is no
// such layer.
std::string mapping_text(const RunReport& report);
// Writes JSON, schema version 1.
std::string json(const RunReport& report);
// Writes what every block counted in every layer, and what its counters mean. The schema version is 1.
std::string counters_json(const RunReport& report);
// Writes one row per layer.
std::string csv(const RunReport& report);

}  // namespace fansim::report
