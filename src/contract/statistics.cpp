// SPDX-License-Identifier: Apache-2.0
#include "contract/statistics.h"

#include <algorithm>
#include <stdexcept>

namespace fansim::contract {
namespace {

double seconds(const LayerResult& layer, const Design& design) {
  return static_cast<double>(layer.cycles) / design.clock_hz;
}
double ops(const LayerResult& layer, const Design&) { return 2 * static_cast<double>(layer.macs); }
// Returns an amount in 10^9 per second, and 0 if the layer took no time.
double giga_rate(double amount, const LayerResult& layer, const Design& design) {
  return layer.cycles == 0 ? 0 : amount / seconds(layer, design) / 1e9;
}
double gops(const LayerResult& layer, const Design& design) { return giga_rate(ops(layer, design), layer, design); }
double mac_utilisation(const LayerResult& layer, const Design& design) {
  if (layer.cycles == 0) return 0;
  return static_cast<double>(layer.macs) / static_cast<double>(layer.cycles) /
         static_cast<double>(design.macs_per_cycle);
}
double read_rate(const LayerResult& layer, const Design& design) {
  return giga_rate(static_cast<double>(layer.bytes_read), layer, design);
}
double write_rate(const LayerResult& layer, const Design& design) {
  return giga_rate(static_cast<double>(layer.bytes_written), layer, design);
}

constexpr Aggregation kSum = Aggregation::sum;

constexpr Counted kCycles{"cycles",
                          "cycles",
                          "fabric clock cycles from the layer's first software step to its last output in DDR",
                          "cycle counts",
                          kSum,
                          {"cycles"},
                          &LayerResult::cycles};
constexpr Counted kMacs{"macs",
                        "MAC",
                        "multiply-accumulates of the layer, its border included as the layer defines it, of all "
                        "pictures that the machine computes at once",
                        "multiply-accumulates",
                        kSum,
                        {},
                        &LayerResult::macs};
constexpr Derived kOps{"ops", "operations", "2 x macs", {}, ops, true};
constexpr Derived kSeconds{"seconds", "s", "cycles / clock_hz", {"ms", 1e3, 3}, seconds};
constexpr Derived kGops{"gops", "1e9 operations/s", "ops / seconds / 1e9", {"GOPS", 1, 1}, gops};
constexpr Derived kMacUtilisation{"mac_utilisation",
                                  "1",
                                  "macs / (cycles x multiply-accumulates the array can do per cycle)",
                                  {"MAC %", 100, 1},
                                  mac_utilisation};
constexpr Counted kBytesRead{"bytes_read",
                             "B",
                             "read from DDR, borders and alignment included",
                             "bytes read",
                             kSum,
                             {"read MB", 1e-6, 3},
                             &LayerResult::bytes_read};
constexpr Counted kBytesWritten{"bytes_written",
                                "B",
                                "written to DDR",
                                "bytes written",
                                kSum,
                                {"written MB", 1e-6, 3},
                                &LayerResult::bytes_written};
constexpr Derived kReadRate{"read_gb_per_s", "1e9 B/s", "bytes_read / seconds / 1e9", {}, read_rate};
constexpr Derived kWriteRate{"write_gb_per_s", "1e9 B/s", "bytes_written / seconds / 1e9", {}, write_rate};
constexpr Counted kOverflows{"accumulator_overflows",
                             "sums",
                             "outputs whose exact sum does not fit accumulator_bits (with --verify)",
                             "accumulator overflows",
                             kSum,
                             {},
                             &LayerResult::accumulator_overflows,
                             false,
                             false};

// The statistics of every machine.
constexpr Statistic kStatistics[] = {{&kCycles},
                                     {&kMacs},
                                     {nullptr, &kOps},
                                     {nullptr, &kSeconds},
                                     {nullptr, &kGops},
                                     {nullptr, &kMacUtilisation},
                                     {&kBytesRead},
                                     {&kBytesWritten},
                                     {nullptr, &kReadRate},
                                     {nullptr, &kWriteRate},
                                     {&kOverflows}};

}  // namespace

std::int64_t Counted::of(const LayerResult& layer) const {
  if (member) return layer.*member;
  const auto found = layer.own.find(key);
  return found == layer.own.end() ? 0 : found->second;
}

void Counted::set(LayerResult& layer, std::int64_t value) const {
  if (member)
    layer.*member = value;
  else
    layer.own[key] = value;
}

std::vector<Statistic> Account::statistics() const {
  std::vector<Statistic> all(std::begin(kStatistics), std::end(kStatistics));
  for (const Counted& row : own) all.push_back({&row});
  return all;
}

std::vector<const Counted*> Account::counted() const {
  std::vector<const Counted*> rows;
  for (const Statistic& statistic : statistics())
    if (statistic.counted) rows.push_back(statistic.counted);
  return rows;
}

std::vector<std::string> Account::bucket_names() const {
  std::vector<std::string> names;
  for (const Bucket& bucket : buckets) names.emplace_back(bucket.name);
  return names;
}

base::Cycles Account::host_cycles(const LayerResult& layer) const {
  base::Cycles cycles = 0;
  for (std::size_t b = 0; b < layer.buckets.size(); ++b)
    if (buckets[b].of_host) cycles += layer.buckets[b];
  return cycles;
}

base::Cycles Account::cycles_of(const LayerResult& layer, const std::string& bucket) const {
  for (std::size_t i = 0; i < buckets.size(); ++i)
    if (bucket == buckets[i].name) return layer.buckets.at(i);
  throw std::out_of_range("no bucket " + bucket);
}

Statistic statistic(const std::string& key) {
  for (const Statistic& statistic : kStatistics)
    if (key == statistic.key()) return statistic;
  throw std::out_of_range("no statistic " + key);
}

LayerResult total(const std::vector<LayerResult>& layers, const Account& account) {
  LayerResult all;
  all.buckets.resize(account.buckets.size());
  for (const LayerResult& layer : layers)
    for (std::size_t b = 0; b < layer.buckets.size(); ++b) all.buckets[b] += layer.buckets[b];
  for (const LayerResult& layer : layers) {
    if (!layer.saturation) continue;
    if (!all.saturation) all.saturation.emplace();
    *all.saturation += *layer.saturation;
  }
  for (const Counted* row : account.counted()) {
    std::int64_t value = 0;
    for (const LayerResult& layer : layers)
      value = row->aggregation == Aggregation::sum ? value + row->of(layer) : std::max(value, row->of(layer));
    row->set(all, value);
  }
  return all;
}

}  // namespace fansim::contract
