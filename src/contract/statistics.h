// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contract/result.h"

// Every figure of a layer is declared here, once. Reports, `describe`, `explore`, the comparison of the engines and
// golden files read these declarations. A new figure takes a row, in kStatistics if every machine has it, otherwise in
// its machine's Account; and both engines must count it.
namespace fansim::contract {

// How a figure for several layers follows from theirs.
enum class Aggregation { sum, largest };

// A column of the report's table. There is none if `head` is null.
struct Column {
  const char* head = nullptr;
  double scale = 1;
  int decimals = 0;
};

// A figure that both engines count and must agree on.
struct Counted {
  const char* key;
  const char* unit;
  const char* meaning;
  const char* spoken;  // as in "cycle counts differ"
  Aggregation aggregation = Aggregation::sum;
  Column column = {};
  std::int64_t LayerResult::*member = nullptr;  // where the figure is; null: in LayerResult::own, under its key
  bool in_reports = true;                       // appears in JSON and CSV
  bool of_engines = true;                       // false: the reference executor counts it, not the engines

  std::int64_t of(const LayerResult& layer) const;
  void set(LayerResult& layer, std::int64_t value) const;
};

// What a derived figure may depend on beside the counts.
struct Design {
  double clock_hz = 0;
  int macs_per_cycle = 0;
  int pictures = 1;  // that a pass through the layers computes: a frame each
};

// A figure that follows from counts, for one layer and for all layers together.
struct Derived {
  const char* key;
  const char* unit;
  const char* meaning;
  Column column = {};
  double (*of)(const LayerResult& layer, const Design& design);
  bool whole = false;  // it is an integer
};

// A figure of either kind. They are listed in the order of the reports.
struct Statistic {
  const Counted* counted = nullptr;
  const Derived* derived = nullptr;

  const char* key() const { return counted ? counted->key : derived->key; }
  const char* unit() const { return counted ? counted->unit : derived->unit; }
  const char* meaning() const { return counted ? counted->meaning : derived->meaning; }
  const Column& column() const { return counted ? counted->column : derived->column; }
  bool in_reports() const { return !counted || counted->in_reports; }
  bool whole() const { return counted || derived->whole; }
  double of(const LayerResult& layer, const Design& design) const {
    return counted ? static_cast<double>(counted->of(layer)) : derived->of(layer, design);
  }
};

// A reason for which a machine's cycles are spent. Each edge goes into one bucket, so that buckets add up to a layer's
// cycles.
struct Bucket {
  const char* name;
  const char* meaning;
  bool of_host = false;  // the fabric waits for the host alone
};

// What a machine reports of a layer beyond what all machines report.
struct Account {
  std::vector<Bucket> buckets;
  std::vector<Counted> own;

  // Returns the statistics of every machine, then this machine's own.
  std::vector<Statistic> statistics() const;
  std::vector<const Counted*> counted() const;
  std::vector<std::string> bucket_names() const;
  // Returns the cycles in which the fabric waited for the host alone: time that no faster fabric saves.
  base::Cycles host_cycles(const LayerResult& layer) const;
  // Returns the cycles of a bucket in a layer that ran. Throws std::out_of_range if there is no such bucket.
  base::Cycles cycles_of(const LayerResult& layer, const std::string& bucket) const;
};

// Returns the statistic with that key that every machine has. Throws std::out_of_range if there is none.
Statistic statistic(const std::string& key);

// Returns all layers summed to one. Its name, type and hash are empty.
LayerResult total(const std::vector<LayerResult>& layers, const Account& account);

}  // namespace fansim::contract
