// SPDX-License-Identifier: Apache-2.0
#include "training/data/checkpoint.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/file.h"

namespace fansim::training {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLargestCheckpoint = std::size_t{1} << 28;  // bytes
constexpr const char* kMark = "fansim checkpoint";
constexpr std::int64_t kVersion = 2;

std::uint32_t word_of(const Json& json) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > 0xffffffff)
    throw std::invalid_argument(fmt::format("{} is no word of 32 bits", json.dump()));
  return json.get<std::uint32_t>();
}

std::int64_t count_of(const Json& json, const char* key) {
  const Json& value = json.at(key);
  if (!value.is_number_integer() || value.get<std::int64_t>() < 0)
    throw std::invalid_argument(fmt::format("{}: {} is no count", key, value.dump()));
  return value.get<std::int64_t>();
}

double number_of(const Json& json, const char* key) {
  const double value = json.at(key).get<double>();
  if (!std::isfinite(value)) throw std::invalid_argument(fmt::format("{}: no finite number", key));
  return value;
}

Checkpoint parsed(const Json& json) {
  if (json.at("kind") != kMark) throw std::invalid_argument("of another kind");
  const std::int64_t version = count_of(json, "version");
  if (version < 1 || version > kVersion)
    throw std::invalid_argument(fmt::format("of version {}; this program reads 1..{}", version, kVersion));
  Checkpoint c;
  if (version > 1) c.build = json.at("build");
  c.network = json.at("network");
  c.design = json.at("design");
  c.data = json.at("data");
  if (!json.at("seed").is_number_unsigned()) throw std::invalid_argument("seed: no natural number");
  c.seed = json.at("seed").get<std::uint64_t>();
  c.images = count_of(json, "images");
  c.loss_of_epoch = number_of(json, "loss_of_epoch");
  for (const Json& epoch : json.at("epochs"))
    c.epochs.push_back({number_of(epoch, "accuracy_percent"), number_of(epoch, "loss")});
  c.saturations = count_of(json, "saturations");
  c.underflows = count_of(json, "underflows");
  c.cycles = count_of(json, "cycles");
  for (const auto& [layer, words] : json.at("weights").items()) {
    c.weights.push_back({layer, {}});
    for (const Json& word : words) c.weights.back().words.push_back(word_of(word));
  }
  return c;
}

}  // namespace

Checkpoint read_checkpoint(const std::string& path) {
  const std::string text = base::read_file(path, kLargestCheckpoint);
  try {
    return parsed(Json::parse(text));
  } catch (const std::exception& error) {
    throw base::UserError(base::Location{path, 0, 0}, fmt::format("no checkpoint of a training: {}", error.what()));
  }
}

void write_checkpoint(const std::string& path, const Checkpoint& c) {
  Json json{{"kind", kMark},           {"version", kVersion},          {"build", c.build},
            {"network", c.network},    {"design", c.design},           {"data", c.data},
            {"seed", c.seed},          {"images", c.images},           {"loss_of_epoch", c.loss_of_epoch},
            {"epochs", Json::array()}, {"saturations", c.saturations}, {"underflows", c.underflows},
            {"cycles", c.cycles},      {"weights", Json::object()}};
  for (const Epoch& epoch : c.epochs)
    json["epochs"].push_back({{"accuracy_percent", epoch.accuracy_percent}, {"loss", epoch.loss}});
  for (const LayerWeights& layer : c.weights) json["weights"][layer.layer] = layer.words;
  base::write_file(path, json.dump() + "\n");
}

CheckpointFile::CheckpointFile(std::string path) : path_(std::move(path)), seen_(version_of(path_)) {}

CheckpointFile::Version CheckpointFile::version_of(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return {};
  return {static_cast<std::int64_t>(facts.st_dev), static_cast<std::int64_t>(facts.st_ino), facts.st_mtim.tv_sec,
          facts.st_mtim.tv_nsec};
}

void CheckpointFile::write(const Checkpoint& checkpoint) {
  if (version_of(path_) != seen_)
    throw base::UserError(base::Location{path_, 0, 0},
                          "another process has written it since; what this one has learned is not kept");
  write_checkpoint(path_, checkpoint);
  seen_ = version_of(path_);
}

}  // namespace fansim::training
