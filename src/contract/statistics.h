// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contract/result.h"

// Every figure of a layer, declared once. Reports, `describe`, `explore`, the comparison of the engines and golden
// files are drawn from here. A new one is a row, in kStatistics if every machine has it, else in its machine's Account,
// and the engines that write it.
namespace fansim::contract {

// How a figure of several layers follows from theirs.
enum class Aggregation { sum, largest };

// A column of the report's table; without a head there is none.
struct Column {
  const char* head = nullptr;
  double scale = 1;
  int decimals = 0;
};

// What both engines count, and must agree on.
struct Counted {
  const char* key;
  const char* unit;
  const char* meaning;
  const char* spoken;  // "cycle counts" differ
  Aggregation aggregation = Aggregation::sum;
  Column column = {};
  std::int64_t LayerResult::*member = nullptr;  // where it stands; none: in LayerResult::own, by its key
  bool in_reports = true;                       // JSON and CSV
  bool of_engines = true;                       // false: the reference executor's

  std::int64_t of(const LayerResult& layer) const;
  void set(LayerResult& layer, std::int64_t value) const;
};

// What a figure may follow from beside the counts.
struct Design {
  double clock_hz = 0;
  int macs_per_cycle = 0;
};

// What follows from counts, of one layer as of all.
struct Derived {
  const char* key;
  const char* unit;
  const char* meaning;
  Column column = {};
  double (*of)(const LayerResult& layer, const Design& design);
  bool whole = false;  // an integer
};

// Any of them, in the order of the reports.
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

// Where a machine's cycles go: each edge into one of them, so that they add up to a layer's cycles.
struct Bucket {
  const char* name;
  const char* meaning;
};

// What a machine says of a layer beyond what all say.
struct Account {
  std::vector<Bucket> buckets;
  std::vector<Counted> own;

  // What every machine has, then its own.
  std::vector<Statistic> statistics() const;
  std::vector<const Counted*> counted() const;
  std::vector<std::string> bucket_names() const;
  // Of a layer that ran; std::out_of_range if there is no such bucket.
  base::Cycles cycles_of(const LayerResult& layer, const std::string& bucket) const;
};

// The statistic of every machine with that key; std::out_of_range.
Statistic statistic(const std::string& key);

// All layers as one; name, type and hash are empty.
LayerResult total(const std::vector<LayerResult>& layers, const Account& account);

}  // namespace fansim::contract
