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

// A campaign runs a program many times, each time with a fault drawn from a seed, and judges the outcomes
// (docs/faults.md).
namespace fansim::inject {

// Holds the number of bits of one place in a machine.
struct PlaceBits {
  std::string name;
  std::string of;  // for example "block RAM"
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
  std::vector<std::string> at;  // patterns of places with * and ?; empty: all places on the chip
  bool each = false;            // every place is equally likely, instead of every bit
  int jobs = 1;
  std::string resume;       // the file in which results are kept and found; empty: none
  bool to_the_end = false;  // runs go on to the end even where the rest is known
  std::function<void(double fraction)> on_progress;
};

// Holds a fault that was drawn. It happens before the edge fault.cycle.
struct Drawn {
  contract::Fault fault;
  std::string place;  // the place for which the result counts; for protocol faults, with the kind
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
  std::int64_t wrong_values = 0;  // number of wrong values in the last output
  std::int64_t values = 0;        // number of values in the last output
  bool top1_changed = false;      // the largest value is another one
  bool seen = false;              // by the driver
  base::Cycles lost = 0;          // cycles that the run took longer, where known
  std::string note;               // what ended the run
};

struct Campaign {
  std::string config_name, config_hash, network_name, network_hash;
  std::string engine;
  base::Cycles cycles = 0;        // cycles of a run without a fault
  std::vector<PlaceBits> places;  // the places that faults were drawn from, by name
  std::vector<Drawn> faults;
  std::vector<Result> results;  // one per fault
};

// Throws base::UserError and base::Interrupted. The results depend neither on the number of jobs nor on results kept
// before.
Campaign run_campaign(const Request& request);

// Returns the places of the machine and the cycles of its run, without drawing faults.
Campaign survey(const runs::Request& run);

}  // namespace fansim::inject
