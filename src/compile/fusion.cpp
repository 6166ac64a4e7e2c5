// SPDX-License-Identifier: Apache-2.0
#include "compile/fusion.h"

#include <algorithm>
#include <set>
#include <utility>

#include "compile/code_table.h"

namespace fansim::compile {

using network::Layer;
using network::LayerType;

Fusion::Fusion(const network::Network& network, const std::vector<int>& wanted, const FusedKinds& kinds)
    : network_(network), fused_into_(network.layers.size(), -1), joined_(network.layers.size()) {
  fuse(kinds);
  choose(wanted);
}

Fusion::Fusion(const network::Network& network, const std::vector<int>& wanted, std::vector<int> into)
    : network_(network), fused_into_(std::move(into)), joined_(network.layers.size()) {
  choose(wanted);
}

bool Fusion::is_chosen(int index) const { return std::binary_search(chosen.begin(), chosen.end(), index); }

int Fusion::root(int index) const {
  while (index >= 0 && at(index).type() == LayerType::flatten) index = at(index).source;
  return index;
}

int Fusion::fused_into(int index) const {
  int end = next(index);
  while (next(end) >= 0) end = next(end);
  return end;
}

int Fusion::pool_behind(int index) const {
  const int end = fused_into(index);
  return end < 0 || at(end).function() ? -1 : end;
}

bool Fusion::is_fused(int index) const { return index >= 0 && next(at(index).source) == index; }

int Fusion::writer(int index) const {
  while (is_fused(index)) index = at(index).source;
  return index;
}

int Fusion::table_of(int index) const {
  if (has_code_table(at(index))) return index;
  const int behind = next(index);
  return behind >= 0 && has_code_table(at(behind)) ? behind : -1;
}

// Returns whether `layer` can be fused behind `source`. A pooling takes a convolution's rows on their way out, and a
// table takes any requantised codes. A pooling behind a table requires that the table keeps signed codes signed, or
// unsigned ones unsigned.
bool Fusion::takes(int layer, int source, const FusedKinds& kinds) const {
  const Layer &behind = at(layer), &before = at(source);
  if (kinds.hosted && kinds.hosted(before)) return false;
  if (has_code_table(behind)) {
    if (before.type() == LayerType::conv || before.type() == LayerType::fc)
      return kinds.tables != FusedKinds::Tables::none;
    return kinds.tables == FusedKinds::Tables::quantised &&
           (before.type() == LayerType::add || before.type() == LayerType::avgpool);
  }
  if (behind.type() != LayerType::maxpool && !(kinds.averages && behind.type() == LayerType::avgpool)) return false;
  const auto& padding = behind.window().padding;
  if (kinds.one_padding && std::count(padding.begin(), padding.end(), padding[0]) != 4) return false;
  if (before.type() == LayerType::conv) return true;
  return is_fused(source) && has_code_table(before) && at(before.source).type() == LayerType::conv &&
         before.in_format.is_unsigned() == before.out_format.is_unsigned();
}

bool Fusion::moves_nothing(int index) const { return at(index).type() == LayerType::flatten || is_joined(index); }

Part Fusion::part(int producer) const {
  Part part{producer, 0};
  for (auto outer = parts_.find(producer); outer != parts_.end(); outer = parts_.find(part.of))
    part = {outer->second.of, part.first + outer->second.first};
  return part;
}

std::vector<int> Fusion::parts_in(int producer) const {
  if (parts_.empty()) return {producer};
  std::vector<int> parts;
  for (int index = -1; index < static_cast<int>(network_.layers.size()); ++index)
    if (part(index).of == producer) parts.push_back(index);
  return parts;
}

std::vector<int> Fusion::written(int producer) const {
  if (producer < 0 || !is_joined(producer)) return {producer};
  std::vector<int> all = written(at(producer).source);
  const std::vector<int> others = written(at(producer).with);
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

// An operand can be placed only once, and only if its codes are the result's: of one format and step.
bool Fusion::joinable(int concat) const {
  const Layer& layer = at(concat);
  if (!layer.joins() || layer.source == layer.with) return false;
  const auto has_a_place = [&](int operand) {
    return parts_.count(operand) == 0 && root(operand) == operand && network_.format(operand) == layer.out_format &&
           network::same_step(network_.step(operand), layer.step);
  };
  return has_a_place(layer.source) && has_a_place(layer.with);
}

void Fusion::join(const std::function<bool(int concat)>& suits) {
  for (int concat = 0; concat < static_cast<int>(network_.layers.size()); ++concat) {
    if (!joinable(concat)) continue;
    const int first = at(concat).source, second = at(concat).with;
    parts_[first] = {concat, 0};
    parts_[second] = {concat, network_.shape(first).channels};
    joined_[static_cast<std::size_t>(concat)] = true;
    if (suits(concat)) continue;
    parts_.erase(first);
    parts_.erase(second);
    joined_[static_cast<std::size_t>(concat)] = false;
  }
}

// Fuses every layer into its only reader, if that reader takes it.
void Fusion::fuse(const FusedKinds& kinds) {
  const int layers = static_cast<int>(network_.layers.size());
  std::vector<int> readers(network_.layers.size());
  const auto read = [&](int producer) {
    if (producer >= 0) ++readers[static_cast<std::size_t>(producer)];
  };
  for (const Layer& layer : network_.layers) {
    read(layer.source);
    if (layer.reads_two()) read(layer.with);
  }
  for (int layer = 0; layer < layers; ++layer) {
    const int source = at(layer).source;
    if (source < 0 || readers[static_cast<std::size_t>(source)] != 1 || !takes(layer, source, kinds)) continue;
    fused_into_[static_cast<std::size_t>(source)] = layer;
  }
}

void Fusion::choose(const std::vector<int>& wanted) {
  const int layers = static_cast<int>(network_.layers.size());
  const auto end_of = [this](int index) { return fused_into(index) < 0 ? index : fused_into(index); };
  std::set<int> ends;
  for (const int index : wanted) ends.insert(end_of(index));
  for (int index = 0; index < layers; ++index)
    if (wanted.empty() || ends.count(end_of(index)) > 0) chosen.push_back(index);
}

std::vector<int> Fusion::running() const {
  std::vector<int> layers;
  for (const int index : chosen)
    if (!moves_nothing(index) && !is_fused(index)) layers.push_back(index);
  return layers;
}

}  // namespace fansim::compile
