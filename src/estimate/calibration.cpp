// SPDX-License-Identifier: Apache-2.0
#include "estimate/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "estimate/part.h"

namespace fansim::estimate {
namespace {

using base::Location;
using base::UserError;
using contract::ResourceScale;

// Gives words by which designs call a block, besides its own name.
struct Alias {
  const char* word;
  const char* block;
};
constexpr Alias kAliases[] = {
    {"axidma", "dma"},
    {"smartconnect", "interconnect"},
    {"axiinterconnect", "interconnect"},
    {"sequencer", "control"},
    {"commandregisters", "control"},
    {"jobstore", "control"},
    {"receiver", "receivers"},
    {"linebuffer", "line_buffers"},
    {"weightreader", "mac_array"},
    {"quantizer", "quantiser"},
    {"maxpool", "pooling"},
    {"activation", "recurrent_cell"},
    {"hiddenstate", "recurrent_cell"},
    {"outputstore", "output_buffer"},
    {"packer", "writer"},
};

contract::Resources negative(const contract::Resources& use) {
  return {-use.dsp, -use.lut, -use.ff, -use.bram36, -use.lutram, -use.uram};
}

class Matcher {
 public:
  Matcher(const std::vector<BlockUse>& blocks, const std::vector<BlockMapping>& mappings)
      : mappings_(mappings), used_(mappings.size()) {
    for (const BlockUse& block : blocks) {
      const std::size_t index = matches_.size();
      matches_.push_back({block.name, {}, block.use, {}});
      const bool given = std::any_of(mappings.begin(), mappings.end(),
                                     [&](const BlockMapping& mapping) { return mapping.block == block.name; });
      if (given) continue;
      words_[core_of_name(block.name)] = index;
      for (const Alias& alias : kAliases)
        if (block.name == alias.block) words_[alias.word] = index;
    }
  }

  void match(const Utilisation& report) {
    file_ = report.file;
    walk(report.top, kNone, true);
    for (std::size_t i = 0; i < used_.size(); ++i)
      if (!used_[i])
        throw UserError(fmt::format("{}no instance '{}' in {}{}", mappings_[i].where, joined(mappings_[i].path),
                                    report.file, base::did_you_mean(mappings_[i].path.back(), names_)));
  }

  void write(Calibration& result) const {
    for (const Match& match : matches_) {
      const contract::Resources& use = match.estimated;
      if (!match.instances.empty()) {
        result.matches.push_back(match);
        result.matched += match.reported;
      } else if (use.dsp + use.lut + use.ff + use.bram36 > 0) {
        result.missing.push_back(match.block);
      }
    }
  }

 private:
  static constexpr std::size_t kNone = SIZE_MAX;

  static std::string joined(const std::vector<std::string>& path) {
    std::string text;
    for (const std::string& part : path) text += (text.empty() ? "" : "/") + part;
    return text;
  }

  // Gives an instance to the block that it builds, and takes it off `within`, the block to which all above it belongs.
  // `splits` says whether names count: not within a block, unless it is a wrapper of others.
  void walk(const Instance& instance, std::size_t within, bool splits) {
    path_.push_back(&instance);
    if (names_.size() < kMostNames) names_.push_back(instance.name);
    const std::optional<std::size_t> given = mapped(), named = splits ? find(instance) : std::nullopt;
    const std::size_t block = given.value_or(named.value_or(within));
    if (block != within) {
      matches_[block].instances.push_back(instance.name);
      add(matches_[block], instance.use);
      if (within != kNone) add(matches_[within], negative(instance.use));
    }
    const bool inner = block == within ? splits : !given && holds_blocks(instance, block);
    for (const Instance& below : instance.below) walk(below, block, inner);
    path_.pop_back();
  }

  void add(Match& match, const contract::Resources& use) const {
    match.reported += use;
    const contract::Resources& now = match.reported;
    for (const int count : {now.dsp, now.lut, now.ff, static_cast<int>(now.bram36), now.uram})
      if (std::abs(count) > kMostCells)
        throw UserError(Location{file_, 0, 0},
                        fmt::format("{}: more than the {} that any device has", match.block, kMostCells));
  }

  std::optional<std::size_t> mapped() {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < mappings_.size(); ++i) {
      if (!names_instance(mappings_[i], path_)) continue;
      used_[i] = true;
      for (std::size_t m = 0; m < matches_.size(); ++m)
        if (matches_[m].block == mappings_[i].block) found = m;
    }
    return found;
  }

  // Finds the block that an instance builds: by the module's name or, if it is no block's, by the instance's own.
  std::optional<std::size_t> find(const Instance& instance) const {
    for (const std::string& name : {core_of_name(instance.module), core_of_name(instance.name)})
      if (const auto word = words_.find(name); word != words_.end()) return word->second;
    return std::nullopt;
  }

  // Returns whether two other blocks or more lie below an instance.
  bool holds_blocks(const Instance& instance, std::size_t block) const {
    std::set<std::size_t> others;
    add_blocks(instance, block, others);
    return others.size() >= 2;
  }
  void add_blocks(const Instance& instance, std::size_t but, std::set<std::size_t>& others) const {
    for (const Instance& below : instance.below) {
      if (const auto found = find(below); found && *found != but) others.insert(*found);
      add_blocks(below, but, others);
    }
  }

  static constexpr std::size_t kMostNames = 10'000;  // of which the nearest is told

  const std::vector<BlockMapping>& mappings_;
  std::vector<bool> used_;  // by mapping
  std::vector<Match> matches_;
  std::map<std::string, std::size_t> words_;
  std::vector<const Instance*> path_;
  std::vector<std::string> names_;
  std::string file_;
};

void check_device(const contract::Device& device, const Utilisation& report) {
  const Location where{report.file, 0, 0};
  if (!report.part.empty() && !device.part.empty() && !same_silicon(report.part, device.part))
    throw UserError(where,
                    fmt::format("the report is of {}, the configuration's device {} is {}; --set device=NAME takes "
                                "another, and `fansim describe device` lists them",
                                report.part, device.name, device.part));
  if (report.family && report.family->seven_series == device.is_ultrascale())
    throw UserError(where, fmt::format("a report of another device family: {}; the configuration's device {} is of {}",
                                       report.family->what, device.name, device.family_name()));
}

Factors fitted(const contract::Resources& estimated, const contract::Resources& reported) {
  const auto ratio = [](double truth, double guess) {
    return guess > 0 && truth > 0 ? std::optional<double>(truth / guess) : std::nullopt;
  };
  return {ratio(reported.dsp, estimated.dsp), ratio(reported.lut, estimated.lut), ratio(reported.ff, estimated.ff),
          ratio(reported.bram36, estimated.bram36)};
}

}  // namespace

std::string calibrated_device(const contract::Device& device, const Factors& factors, const std::string& report) {
  const ResourceScale all{device.scale.dsp * factors.dsp.value_or(1), device.scale.lut * factors.lut.value_or(1),
                          device.scale.ff * factors.ff.value_or(1), device.scale.bram36 * factors.bram36.value_or(1)};
  for (const double factor : {all.dsp, all.lut, all.ff, all.bram36})
    if (factor < ResourceScale::kLeast || factor > ResourceScale::kMost)
      throw UserError(Location{report, 0, 0},
                      fmt::format("a scale of {:.3g} is beyond what a device's file takes, {}..{}", factor,
                                  ResourceScale::kLeast, ResourceScale::kMost));
  std::string text;
  std::istringstream lines(base::read_file(device.file));
  bool dropped = false;  // the old scales have been left out
  for (std::string line; std::getline(lines, line);) {
    dropped = line.rfind("scale:", 0) == 0 || (dropped && line.rfind(' ', 0) == 0);
    if (!dropped) text += line + "\n";
  }
  return text + fmt::format("scale: {{dsp: {:.6g}, lut: {:.6g}, ff: {:.6g}, bram36: {:.6g}}}  # fansim calibrate {}\n",
                            all.dsp, all.lut, all.ff, all.bram36, report);
}

Calibration calibrate(const contract::Device& device, const Estimate& estimate, const Utilisation& report,
                      const std::vector<BlockMapping>& mappings) {
  check_device(device, report);
  Calibration result;
  result.whole = {"whole design", {report.top.module}, estimate.total, report.top.use};
  if (!report.has_hierarchy) {
    if (!mappings.empty())
      throw UserError(Location{report.file, 0, 0}, "a flat report has no instances that --map could name");
    result.matched = report.top.use;
    result.factors = fitted(estimate.total, report.top.use);
    return result;
  }
  Matcher matcher(estimate.blocks, mappings);
  matcher.match(report);
  matcher.write(result);
  contract::Resources estimated;
  for (const Match& match : result.matches) estimated += match.estimated;
  result.factors = fitted(estimated, result.matched);
  return result;
}

}  // namespace fansim::estimate
