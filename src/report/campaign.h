// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/run_report.h"

// A campaign of faults (docs/faults.md).
namespace fansim::report {

// What may come of a fault.
struct CampaignOutcome {
  std::string word, meaning;
  bool vulnerable = false;  // it counts against the place
};

// One fault, and what came of it.
struct CampaignFault {
  std::string fault;  // as `--fault` has it
  std::string place;
  std::size_t outcome = 0;
  std::string first_wrong;  // layer; empty: none
  std::int64_t wrong_values = 0, values = 0;
  bool top1_changed = false, seen = false;
  std::int64_t lost_cycles = 0;
  std::string note;
};

// A share of a count, with the interval of Wilson's score for 95 %.
struct Share {
  double share = 0, least = 0, most = 0;
};
Share wilson(std::int64_t hits, std::int64_t count);

struct CampaignPlace {
  std::string place, of;
  std::optional<std::uint64_t> bits;  // none: of protocol faults
  std::int64_t count = 0;
  std::vector<std::int64_t> outcomes;
  std::int64_t vulnerable = 0, top1_changed = 0;
};

struct Campaign {
  Tool tool;
  Named config, network;
  std::string engine, kind;
  std::uint64_t seed = 1;
  std::int64_t cycles = 0;  // of a run without a fault
  bool by_bits = true;      // every bit as likely; else every place
  std::vector<CampaignOutcome> outcomes;
  std::vector<CampaignPlace> places;  // of bits; of protocol faults one for each kind at each place
  std::vector<CampaignFault> faults;
};

// The campaign's places with what came of their faults, and all of them as one.
std::vector<CampaignPlace> counted(const Campaign& campaign);
CampaignPlace sum(const Campaign& campaign, const std::vector<CampaignPlace>& places);
// The share of bits of a campaign whose faults are vulnerable: by places, of each place as many as it has bits.
double vulnerable_share(const Campaign& campaign, const std::vector<CampaignPlace>& places);

std::string text(const Campaign& campaign);
std::string csv(const Campaign& campaign);
std::string json(const Campaign& campaign);

}  // namespace fansim::report
