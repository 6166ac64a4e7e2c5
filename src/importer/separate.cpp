// SPDX-License-Identifier: Apache-2.0
#include "importer/separate.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "importer/parts.h"
#include "importer/plain_text.h"

namespace fansim::importer {
namespace {

using Type = ImportedLayer::Type;
using MaybeCodes = std::optional<Codes>;

constexpr Codes kHiddenState{1.0F / 128, 0, true};  // Q0.7: what LSTM and GRU give

bool averages(const ImportedLayer& layer) { return layer.type == Type::avgpool; }

// An average in other codes than it reads is the function, which rounds once.
void round_once(ImportedLayer& layer) {
  const auto both = [](int value) {
    return std::vector<double>{static_cast<double>(value), static_cast<double>(value)};
  };
  layer.type = Type::function;
  layer.function = "window_mean";
  layer.lists = {{"kernel", both(layer.kernel)},
                 {"stride", both(layer.stride)},
                 {"padding", {layer.padding.begin(), layer.padding.end()}}};
  layer.words = {{"count_padding", "true"}};
  if (layer.ceil_mode) layer.words["ceil_mode"] = "true";
}

class Separation {
 public:
  explicit Separation(Imported& network) : network_(network), old_(std::move(network.layers)) {
    for (const ImportedLayer& layer : old_) names_.unique(layer.name, "node");
    find_readers();
    find_codes_behind();
    find_codes();
  }

  void write_layers() {
    network_.layers.clear();
    for (std::size_t i = 0; i < old_.size(); ++i) {
      try {
        separate(i, old_[i]);
      } catch (const Refused& refused) {
        network_.refused.push_back({old_[i].node, "QuantizeLinear", refused.reason});
        return;
      }
    }
  }

 private:
  // Indices of tensors: 0 is the input, i + 1 is the output of layer i.
  static std::size_t tensor(int layer) { return static_cast<std::size_t>(layer + 1); }

  MaybeCodes own(std::size_t tensor) const {
    if (tensor == 0) return network_.input_codes;
    const ImportedLayer& layer = old_[tensor - 1];
    return layer.is_recurrent() ? MaybeCodes(kHiddenState) : layer.codes;
  }

  void find_readers() {
    readers_.resize(old_.size() + 1);
    for (std::size_t i = 0; i < old_.size(); ++i)
      for (const int source : old_[i].sources()) readers_[tensor(source)].push_back(i);
  }

  // Finds the codes that a tensor has itself, or that all that reads it moves its elements into.
  void find_codes_behind() {
    behind_.resize(old_.size() + 1);
    for (std::size_t t = behind_.size(); t-- > 0;) {
      behind_[t] = own(t);
      if (behind_[t] || readers_[t].empty()) continue;
      const MaybeCodes first = behind_[readers_[t][0] + 1];
      const bool all = std::all_of(readers_[t].begin(), readers_[t].end(), [&](std::size_t reader) {
        const ImportedLayer& layer = old_[reader];
        return layer.keeps_codes() && !averages(layer) && behind_[reader + 1] == first;
      });
      if (all) behind_[t] = first;
    }
  }

  // Finds the codes of every tensor: its own; or those that its layer keeps; or those behind it. An average keeps codes
  // only if there are none behind it.
  void find_codes() {
    codes_.resize(old_.size() + 1);
    codes_[0] = behind_[0];
    for (std::size_t t = 1; t < codes_.size(); ++t) {
      const ImportedLayer& layer = old_[t - 1];
      codes_[t] = behind_[t];
      if (own(t) || !layer.keeps_codes() || (averages(layer) && behind_[t])) continue;
      const std::vector<int> sources = layer.sources();
      const MaybeCodes first = codes_[tensor(sources[0])];
      if (first && std::all_of(sources.begin(), sources.end(), [&](int s) { return codes_[tensor(s)] == first; }))
        codes_[t] = first;
    }
  }

  void separate(std::size_t i, ImportedLayer layer) {
    const MaybeCodes& wanted = codes_[i + 1];
    const bool keeps = layer.keeps_codes(), differs = keeps && codes_[tensor(layer.source)] != wanted;
    const int with = layer.with.value_or(ImportedLayer::kInput);
    if (layer.with) layer.with = now(with);
    const int source = std::exchange(layer.source, now(layer.source));
    if (keeps && layer.with) {
      layer.source = brought(source, layer.source, wanted, layer);
      layer.with = brought(with, *layer.with, wanted, layer);
    } else if (differs && averages(layer)) {
      round_once(layer);
      layer.codes = wanted;
    } else if (differs) {
      layer.codes.reset();
      const ImportedLayer moves = layer;
      network_.layers.push_back(std::move(layer));
      moved_.push_back(put_clip(moves, static_cast<int>(network_.layers.size()) - 1, range_of(*wanted), wanted));
      return;
    }
    const bool passes =
        wanted && layer.limit > 0 && range_of(*wanted).high > layer.limit + static_cast<double>(wanted->step);
    network_.layers.push_back(std::move(layer));
    moved_.push_back(static_cast<int>(network_.layers.size()) - 1);
    if (passes) moved_.back() = limited(network_.layers.back(), wanted);
  }

  // Puts the limit of a ReLU behind its layer, because the layer's codes go further.
  int limited(ImportedLayer& layer, const MaybeCodes& codes) {
    const ImportedLayer unlimited = layer;
    layer.limit = 0;
    layer.codes = codes;
    return put_clip(unlimited, moved_.back(), {0, unlimited.limit}, codes);
  }

  // Returns an operand of a layer that joins maps, in the codes of all. Where these have none yet, its own codes end
  // here, at a clip that it never reaches, and calibration finds some for all.
  int brought(int operand, int now, const MaybeCodes& wanted, const ImportedLayer& joins) {
    const MaybeCodes& codes = codes_[tensor(operand)];
    if (codes == wanted) return now;
    ImportedLayer like = joins;
    like.out = now < 0 ? network_.input : network_.layers[static_cast<std::size_t>(now)].out;
    CodeRange range = range_of(wanted ? *wanted : *codes);
    if (!wanted) range = {range.low - static_cast<double>(codes->step), range.high + static_cast<double>(codes->step)};
    return put_clip(like, now, range, wanted);
  }

  int put_clip(const ImportedLayer& like, int source, const CodeRange& range, const MaybeCodes& codes) {
    ImportedLayer clip;
    clip.type = Type::function;
    clip.function = "clip";
    clip.name = names_.unique(like.name + "_codes", "node");
    clip.node = like.node;
    clip.source = source;
    clip.sequence = like.sequence;
    clip.out = like.out;
    clip.numbers = {{"low", range.low}, {"high", range.high}};
    clip.codes = codes;
    network_.layers.push_back(std::move(clip));
    return static_cast<int>(network_.layers.size()) - 1;
  }

  int now(int layer) const { return layer < 0 ? layer : moved_[static_cast<std::size_t>(layer)]; }

  Imported& network_;
  const std::vector<ImportedLayer> old_;
  FileNames names_;
  std::vector<std::vector<std::size_t>> readers_;  // of each tensor: layers
  std::vector<MaybeCodes> behind_, codes_;         // of each tensor
  std::vector<int> moved_;                         // where the output of each old layer is now
};

}  // namespace

CodeRange range_of(const Codes& codes) {
  constexpr double kMost = 1e6;  // the largest number in a network file
  const double step = static_cast<double>(codes.step);
  const int lowest = codes.is_signed ? -128 : 0;
  const CodeRange range{(lowest - codes.zero_point) * step, (lowest + 255 - codes.zero_point) * step};
  if (std::max(-range.low, range.high) > kMost)
    throw Refused{fmt::format("codes that reach from {} to {}", range.low, range.high)};
  return range;
}

void separate_codes(Imported& network) { Separation(network).write_layers(); }

}  // namespace fansim::importer
