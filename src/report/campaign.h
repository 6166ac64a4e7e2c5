// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/run_report.h"

// This file describes the report of a fault campaign (docs/faults.md).
namespace fansim::report {

// Names one possible outcome of a fault.
struct CampaignOutcome {
  std::string word, meaning;
  bool vulnerable = false;  // the outcome counts as a vulnerability of the place
};

// Holds one fault and its outcome.
struct CampaignFault {
  std::string fault;  // in the notation of `--fault`
  std::string place;
  std::size_t outcome = 0;
  std::string first_wrong;  // the layer; empty: no output is wrong
  std::int64_t wrong_values = 0, values = 0;
  bool top1_changed = false, seen = false;
  std::int64_t lost_cycles = 0;
  std::string note;
};

// Holds a share of a count with Wilson's score interval at 95 %.
struct Share {
  double share = 0, least = 0, most = 0;
};
Share wilson(std::int64_t hits, std::int64_t count);

struct CampaignPlace {
  std::string place, of;
  std::optional<std::uint64_t> bits;  // none: the place has protocol faults
  std::int64_t count = 0;
  std::vector<std::int64_t> outcomes;
  std::int64_t vulnerable = 0, top1_changed = 0;
};

struct Campaign {
  Tool tool;
  Named config, network;
  std::string engine, kind;
  std::uint64_t seed = 1;
  std::int64_t cycles = 0;  // cycles of a run without a fault
  bool by_bits = true;      // true: every bit is equally likely; false: every place is
  std::vector<CampaignOutcome> outcomes;
  std::vector<CampaignPlace> places;  // one per place; for protocol faults one per kind and place
  std::vector<CampaignFault> faults;
};

// counted() returns the campaign's places with their faults counted. sum() adds up such places.
std::vector<CampaignPlace> counted(const Campaign& campaign);
CampaignPlace sum(const Campaign& campaign, const std::vector<CampaignPlace>& places);
// Returns the share of all bits whose faults are vulnerable: each place's share, weighted by the bits of the place.
double vulnerable_share(const Campaign& campaign, const std::vector<CampaignPlace>& places);

std::string text(const Campaign& campaign);
std::string csv(const Campaign& campaign);
std::string json(const Campaign& campaign);

}  // namespace fansim::report
