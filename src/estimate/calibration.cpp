// SPDX-License-Identifier: Apache-2.0
#include "estimate/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "estimate/estimate.h"

namespace fansim::estimate {
namespace {

using base::Location;
using base::UserError;

// Gives words by which designs call a block, besides its own name.
struct Alias {
  const char* word;
  const char* block;
};
constexpr Alias kAliases[] = {
    {"axidma", "dma"},
    {"smartconnect", "interconnect"},
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

// Keeps only letters and digits, in lower case.
std::string squeezed(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

class Matcher {
 public:
  explicit Matcher(const std::vector<BlockUse>& blocks) {
    for (const BlockUse& block : blocks) {
      matches_.push_back({block.name, {}, block.use, {}});
      words_.emplace_back(squeezed(block.name), matches_.size() - 1);
      for (const Alias& alias : kAliases) {
        if (block.name == alias.block) words_.emplace_back(alias.word, matches_.size() - 1);
      }
    }
  }

  void walk(const Instance& instance) {
    if (Match* match = find(instance)) {
      match->modules.push_back(instance.name);
      match->reported += instance.use;
      return;
    }
    for (const Instance& below : instance.below) walk(below);
  }

  Calibration result() const {
    Calibration result;
    for (const Match& match : matches_) {
      const contract::Resources& use = match.estimated;
      if (!match.modules.empty())
        result.matches.push_back(match);
      else if (use.dsp + use.lut + use.ff + use.bram36 > 0)
        result.missing.push_back(match.block);
    }
    return result;
  }

  std::string names() const {
    std::string names;
    for (const Match& match : matches_) names += (names.empty() ? "" : ", ") + match.block;
    return names;
  }

 private:
  // Finds the block that an instance builds. The module's name decides; if it matches nothing, the instance's own name
  // does. The longest word wins.
  Match* find(const Instance& instance) {
    for (const std::string& name : {squeezed(instance.module), squeezed(instance.name)}) {
      const std::pair<std::string, std::size_t>* best = nullptr;
      for (const auto& word : words_) {
        if (name.find(word.first) == std::string::npos) continue;
        if (best == nullptr || word.first.size() > best->first.size()) best = &word;
      }
      if (best != nullptr) return &matches_[best->second];
    }
    return nullptr;
  }

  std::vector<Match> matches_;
  std::vector<std::pair<std::string, std::size_t>> words_;
};

void check_part(const contract::Device& device, const Utilisation& report) {
  if (report.part.empty() || device.part.empty()) return;
  if (squeezed(report.part).rfind(squeezed(device.part), 0) == 0) return;
  throw UserError(Location{report.file, 0, 0}, fmt::format("the report is of {}, the configuration's device {} is {}",
                                                           report.part, device.name, device.part));
}

Scale fitted(const std::vector<Match>& matches) {
  contract::Resources estimated, reported;
  for (const Match& match : matches) {
    estimated += match.estimated;
    reported += match.reported;
  }
  const auto ratio = [](double truth, double guess) { return guess > 0 ? truth / guess : 1; };
  return {ratio(reported.dsp, estimated.dsp), ratio(reported.lut, estimated.lut), ratio(reported.ff, estimated.ff),
          ratio(reported.bram36, estimated.bram36)};
}

}  // namespace

std::string calibrated_device(const contract::Device& device, const Scale& scale, const std::string& report) {
  const Scale all{device.scale.dsp * scale.dsp, device.scale.lut * scale.lut, device.scale.ff * scale.ff,
                  device.scale.bram36 * scale.bram36};
  for (const double factor : {all.dsp, all.lut, all.ff, all.bram36})
    if (factor < Scale::kLeast || factor > Scale::kMost)
      throw UserError(Location{report, 0, 0},
                      fmt::format("a scale of {:.3g} is beyond what a device's file takes, {}..{}", factor,
                                  Scale::kLeast, Scale::kMost));
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

Calibration calibrate(const contract::Device& device, const Estimate& estimate, const Utilisation& report) {
  check_part(device, report);
  Calibration result;
  if (report.has_hierarchy) {
    Matcher matcher(estimate.blocks);
    matcher.walk(report.top);
    result = matcher.result();
    if (result.matches.empty()) {
      throw UserError(
          Location{report.file, 0, 0},
          fmt::format("no module matches a block of the configuration; its blocks are {}", matcher.names()));
    }
  } else {
    result.matches.push_back({"whole design", {report.top.module}, estimate.total, report.top.use});
  }
  result.scale = fitted(result.matches);
  return result;
}

}  // namespace fansim::estimate
