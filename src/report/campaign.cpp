// SPDX-License-Identifier: Apache-2.0
#include "report/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/csv_field.h"
#include "report/table.h"

namespace fansim::report {
namespace {

using Json = nlohmann::ordered_json;

std::string percent_of(double share) { return fmt::format("{:.1f}", 100 * share); }

// Selects the outcomes to show: the first two, and all others that occurred.
std::vector<std::size_t> shown_outcomes(const CampaignPlace& all) {
  std::vector<std::size_t> shown;
  for (std::size_t o = 0; o < all.outcomes.size(); ++o)
    if (o < 2 || all.outcomes[o] > 0) shown.push_back(o);
  return shown;
}

std::vector<std::string> cells(const CampaignPlace& place, const std::vector<std::size_t>& outcomes) {
  std::vector<std::string> cells{
      place.place, place.of, place.bits ? grouped(static_cast<std::int64_t>(*place.bits)) : "", grouped(place.count)};
  for (const std::size_t o : outcomes) cells.push_back(grouped(place.outcomes[o]));
  const Share share = wilson(place.vulnerable, place.count);
  cells.push_back(place.count > 0 ? percent_of(share.share) : "");
  cells.push_back(place.count > 0 ? fmt::format("{}..{}", percent_of(share.least), percent_of(share.most)) : "");
  cells.push_back(grouped(place.top1_changed));
  return cells;
}

std::string table_of(const Campaign& campaign, const std::vector<CampaignPlace>& places, const CampaignPlace& all) {
  const std::vector<std::size_t> outcomes = shown_outcomes(all);
  Table table(2);
  std::vector<std::string> head{"place", "of", "bits", "faults"};
  for (const std::size_t o : outcomes) head.push_back(campaign.outcomes[o].word);
  for (const char* word : {"vulnerable %", "95 %", "top-1"}) head.emplace_back(word);
  table.row(head);
  table.rule();
  for (const CampaignPlace& place : places) table.row(cells(place, outcomes));
  if (places.size() > 1) {
    table.rule();
    std::vector<std::string> last = cells(all, outcomes);
    // If every place is equally likely, the plain share of the faults is not the share of the bits. The last row then
    // gives the share weighted by the bits of each place.
    if (!campaign.by_bits && all.bits) {
      last[last.size() - 3] = percent_of(vulnerable_share(campaign, places));
      last[last.size() - 2].clear();
    }
    table.row(last);
  }
  return table.text();
}

// Counts in which layers wrong outputs first appear.
std::string layers_of(const Campaign& campaign) {
  std::vector<std::pair<std::string, int>> layers;
  for (const CampaignFault& fault : campaign.faults) {
    if (fault.first_wrong.empty() || fault.wrong_values == 0) continue;
    const auto found =
        std::find_if(layers.begin(), layers.end(), [&](auto& one) { return one.first == fault.first_wrong; });
    if (found == layers.end())
      layers.emplace_back(fault.first_wrong, 1);
    else
      ++found->second;
  }
  std::string text;
  for (const auto& [layer, count] : layers) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", layer, count);
  return text.empty() ? "" : fmt::format("first layer with a wrong output: {}\n", text);
}

Json place_json(const Campaign& campaign, const CampaignPlace& place) {
  Json json{{"place", place.place}};
  if (!place.of.empty()) json["of"] = place.of;
  if (place.bits) json["bits"] = *place.bits;
  json["faults"] = place.count;
  for (std::size_t o = 0; o < place.outcomes.size(); ++o)
    json["outcomes"][campaign.outcomes[o].word] = place.outcomes[o];
  json["top1_changed"] = place.top1_changed;
  if (place.count == 0) return json;
  const Share share = wilson(place.vulnerable, place.count);
  json["vulnerable"] = share.share;
  json["vulnerable_least"] = share.least;
  json["vulnerable_most"] = share.most;
  return json;
}

Json fault_json(const Campaign& campaign, const CampaignFault& fault) {
  Json json{{"fault", fault.fault}, {"place", fault.place}, {"outcome", campaign.outcomes[fault.outcome].word}};
  if (!fault.first_wrong.empty()) json["first_wrong"] = fault.first_wrong;
  json["wrong_values"] = fault.wrong_values;
  json["values"] = fault.values;
  json["top1_changed"] = fault.top1_changed;
  json["seen_by_driver"] = fault.seen;
  json["lost_cycles"] = fault.lost_cycles;
  if (!fault.note.empty()) json["note"] = fault.note;
  return json;
}

}  // namespace

// Computes the score interval of Wilson (1927) at 1.96 standard deviations.
Share wilson(std::int64_t hits, std::int64_t count) {
  if (count == 0) return {};
  constexpr double kZ = 1.959963984540054;
  const auto n = static_cast<double>(count);
  const double p = static_cast<double>(hits) / n, z2 = kZ * kZ;
  const double middle = (p + z2 / (2 * n)) / (1 + z2 / n);
  const double half = kZ / (1 + z2 / n) * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  return {p, hits == 0 ? 0 : middle - half, hits == count ? 1 : middle + half};
}

std::vector<CampaignPlace> counted(const Campaign& campaign) {
  std::vector<CampaignPlace> places = campaign.places;
  for (CampaignPlace& place : places) place.outcomes.assign(campaign.outcomes.size(), 0);
  for (const CampaignFault& fault : campaign.faults)
    for (CampaignPlace& place : places) {
      if (place.place != fault.place) continue;
      ++place.count;
      ++place.outcomes[fault.outcome];
      if (campaign.outcomes[fault.outcome].vulnerable) ++place.vulnerable;
      if (fault.top1_changed) ++place.top1_changed;
    }
  return places;
}

CampaignPlace sum(const Campaign& campaign, const std::vector<CampaignPlace>& places) {
  CampaignPlace all{"all", "", std::nullopt, 0, std::vector<std::int64_t>(campaign.outcomes.size()), 0, 0};
  for (const CampaignPlace& place : places) {
    if (place.bits) all.bits = all.bits.value_or(0) + *place.bits;
    all.count += place.count;
    all.vulnerable += place.vulnerable;
    all.top1_changed += place.top1_changed;
    for (std::size_t o = 0; o < all.outcomes.size(); ++o) all.outcomes[o] += place.outcomes[o];
  }
  return all;
}

double vulnerable_share(const Campaign& campaign, const std::vector<CampaignPlace>& places) {
  const CampaignPlace all = sum(campaign, places);
  if (campaign.by_bits || !all.bits) return wilson(all.vulnerable, all.count).share;
  double bits = 0;
  for (const CampaignPlace& place : places)
    bits += static_cast<double>(*place.bits) * wilson(place.vulnerable, place.count).share;
  return bits / static_cast<double>(*all.bits);
}

std::string text(const Campaign& campaign) {
  const std::vector<CampaignPlace> places = counted(campaign);
  const CampaignPlace all = sum(campaign, places);
  std::string out =
      fmt::format("{} on {} ({}): {} faults of kind {}, seed {}; {} masked, {} vulnerable, {} changed the top-1\n\n",
                  campaign.network.name, campaign.config.name, campaign.engine, grouped(all.count), campaign.kind,
                  campaign.seed, percent_of(wilson(all.outcomes.front(), all.count).share) + " %",
                  percent_of(vulnerable_share(campaign, places)) + " %", grouped(all.top1_changed));
  out += table_of(campaign, places, all) + "\n" + layers_of(campaign);
  for (const std::size_t o : shown_outcomes(all))
    out += fmt::format("{}: {}\n", campaign.outcomes[o].word, campaign.outcomes[o].meaning);
  return out;
}

std::string csv(const Campaign& campaign) {
  std::string out =
      "fault,place,outcome,first_wrong,wrong_values,values,top1_changed,seen_by_driver,lost_cycles,note\n";
  for (const CampaignFault& fault : campaign.faults)
    out +=
        fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csv_field(fault.fault), csv_field(fault.place),
                    campaign.outcomes[fault.outcome].word, csv_field(fault.first_wrong), fault.wrong_values,
                    fault.values, int{fault.top1_changed}, int{fault.seen}, fault.lost_cycles, csv_field(fault.note));
  return out;
}

std::string json(const Campaign& campaign) {
  const std::vector<CampaignPlace> places = counted(campaign);
  Json json{{"schema", 1}};
  json["tool"] = {{"name", "fansim"}, {"version", campaign.tool.version}, {"command", campaign.tool.command}};
  json["config"] = {{"name", campaign.config.name}, {"hash", campaign.config.hash}};
  json["network"] = {{"name", campaign.network.name}, {"hash", campaign.network.hash}};
  json["engine"] = campaign.engine;
  json["kind"] = campaign.kind;
  json["seed"] = campaign.seed;
  json["cycles"] = campaign.cycles;
  json["outcomes"] = Json::array();
  for (const CampaignOutcome& outcome : campaign.outcomes)
    json["outcomes"].push_back(
        {{"name", outcome.word}, {"meaning", outcome.meaning}, {"vulnerable", outcome.vulnerable}});
  json["places"] = Json::array();
  for (const CampaignPlace& place : places) json["places"].push_back(place_json(campaign, place));
  json["total"] = place_json(campaign, sum(campaign, places));
  json["vulnerable_share"] = vulnerable_share(campaign, places);
  json["faults"] = Json::array();
  for (const CampaignFault& fault : campaign.faults) json["faults"].push_back(fault_json(campaign, fault));
  return json.dump(2) + "\n";
}

}  // namespace fansim::report
