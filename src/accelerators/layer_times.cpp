// SPDX-License-Identifier: Apache-2.0
#include "accelerators/layer_times.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/hash.h"

namespace fansim::accelerators {
namespace {

using explore::Store;

std::string to_text(const LayerTime& t) {
  return fmt::format("{} {} {} {} {} {} {}", t.cycles, t.macs, t.bytes_read, t.bytes_written, t.left.inputs,
                     t.left.weights, t.left.outputs);
}

std::optional<LayerTime> time_of(const std::string& text) {
  long long cycles = 0, macs = 0, read = 0, written = 0, inputs = 0, weights = 0, outputs = 0;
  if (std::sscanf(text.c_str(), "%lld %lld %lld %lld %lld %lld %lld", &cycles, &macs, &read, &written, &inputs,
                  &weights, &outputs) != 7)
    return std::nullopt;
  return LayerTime{cycles, macs, read, written, {inputs, weights, outputs}};
}

// Converts a key, which is bytes, to text for the store.
std::string hexadecimal(const std::string& bytes) {
  std::string digits;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    digits += "0123456789abcdef"[value >> 4];
    digits += "0123456789abcdef"[value & 15];
  }
  return digits;
}

}  // namespace

LayerTime& LayerTime::operator+=(const LayerTime& next) {
  cycles += next.cycles;
  macs += next.macs;
  bytes_read += next.bytes_read;
  bytes_written += next.bytes_written;
  left = next.left;
  return *this;
}

// Returns a name that differs for every key.
std::string LayerTimes::task_of(const std::string& layer, const std::string& key) {
  return fmt::format("layer {} {}", layer, base::Fnv1a().add(key).text());
}

std::optional<LayerTime> LayerTimes::find(const std::string& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  if (!store_) return std::nullopt;
  const std::optional<std::string> text = store_->find(Store::Table::memo, hexadecimal(key));
  const std::optional<LayerTime> stored = text ? time_of(*text) : std::nullopt;
  if (stored) remember(key, *stored);
  return stored;
}

bool LayerTimes::remember(const std::string& key, const LayerTime& time) {
  constexpr std::size_t kNode = 64;
  const std::size_t bytes = key.size() + sizeof time + kNode;
  if (bytes_ + bytes > most_bytes_) {
    known_.clear();
    bytes_ = 0;
  }
  const bool fresh = known_.emplace(key, time).second;
  if (fresh) bytes_ += bytes;
  return fresh;
}

// Writes to the store last. Otherwise another thread could find the time in the store first, and count it as the result
// of another search.
void LayerTimes::keep(const std::string& key, const LayerTime& time) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (remember(key, time)) ++simulated_;
  }
  if (store_) store_->put(Store::Table::memo, hexadecimal(key), to_text(time));
}

}  // namespace fansim::accelerators
