// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "contract/faults.h"
#include "runs/run.h"

// Campaigns: many runs of one program, each with a fault drawn by a seed, and what came of them (docs/faults.md).
namespace fansim::inject {

// A place's bits, as a machine has them.
struct PlaceBits {
  std::string name;
  std::string of;  // "block RAM"
  std::uint64_t words = 0;
  int bits = 0;

  std::uint64_t all() const { return words * static_cast<std::uint64_t>(bits); }
};

enum class What { flips, stuck, protocol };
constexpr std::array<std::pair<What, const char*>, 3> kWhats{
    {{What::flips, "flip"}, {What::stuck, "stuck"}, {What::protocol, "protocol"}}};

struct Request {
  runs::Request run;  // the configuration and the network; its engine runs the faults
  int count = 100;
  std::uint64_t seed = 1;
  What what = What::flips;
  std::vector<std::string> at;  // patterns of places with * and ?; empty: all on the chip
  bool each = false;            // as many in each place, not in each bit
  int jobs = 1;
  std::string resume;       // results are kept here and found here; empty: nowhere
  bool to_the_end = false;  // runs are not cut short where the rest is known
  std::function<void(double fraction)> on_progress;
};

// What is let happen, ahead of the edge fault.cycle.
struct Drawn {
  contract::Fault fault;
  std::string place;  // that the result counts for: of protocol faults with the kind
};

enum class Outcome { masked, wrong, recovered, reported, hang, stopped };
struct OutcomeWord {
  Outcome outcome;
  const char* word;
  const char* meaning;
};
constexpr std::array<OutcomeWord, 6> kOutcomes{{
    {Outcome::masked, "masked", "the output is right, and nobody saw anything"},
    {Outcome::wrong, "wrong", "the output is wrong"},
    {Outcome::recovered, "recovered", "the driver saw an error and tried again, and the output is right"},
    {Outcome::reported, "reported", "the driver saw an error and gave up"},
    {Outcome::hang, "hang", "the machine waited for what never came, until the watchdog's time"},
    {Outcome::stopped, "stopped", "the machine broke a rule that the model has no continuation for"},
}};

struct Result {
  Outcome outcome = Outcome::masked;
  std::string first_wrong;        // the first layer whose output is wrong; empty: none
  std::int64_t wrong_values = 0;  // of the last output
  std::int64_t values = 0;        // that it has
  bool top1_changed = false;      // the largest of them is another one
  bool seen = false;              // by the driver
  base::Cycles lost = 0;          // cycles that the run took longer, where that is known
  std::string note;               // what ended a run
};

struct Campaign {
  std::string config_name, config_hash, network_name, network_hash;
  std::string engine;
  base::Cycles cycles = 0;        // of a run without a fault
  std::vector<PlaceBits> places;  // that were drawn from, by name
  std::vector<Drawn> faults;
  std::vector<Result> results;  // one for each
};

// Throws base::UserError, base::Interrupted. The same of any number of jobs, and whatever was kept before.
Campaign run_campaign(const Request& request);

// The places of the machine and the cycles of its run, nothing drawn.
Campaign survey(const runs::Request& run);

}  // namespace fansim::inject
