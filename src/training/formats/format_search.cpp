// SPDX-License-Identifier: Apache-2.0
#include "training/formats/format_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>

#include "base/error.h"
#include "base/workers.h"
#include "training/train.h"

namespace fansim::training::formats {
namespace {

using explore::Store;

class Search {
 public:
  Search(const FormatSpace& space, const DataSet& data, const FormatOptions& options)
      : space_(space), data_(data), options_(options) {}

  FormatResult run() {
    FormatResult result;
    result.as_configured = score(space_.set);
    const auto widths = static_cast<std::size_t>(space_.most_bits - space_.least_bits + 1);
    std::vector<std::vector<Trial>> trials(widths);
    std::atomic<std::size_t> done{0};
    const base::Workers workers(options_.jobs);
    // The narrow widths come first, because they take longest.
    workers.each(widths, [&](std::size_t i) {
      trials[i] = of_width(space_.least_bits + static_cast<int>(i));
      const double fraction = static_cast<double>(++done) / static_cast<double>(widths);
      const std::lock_guard<std::mutex> lock(progress_);
      if (options_.on_progress) options_.on_progress(fraction);
    });
    for (const std::vector<Trial>& some : trials) result.trials.insert(result.trials.end(), some.begin(), some.end());
    for (std::size_t i = 0; i < result.trials.size(); ++i) {
      const Trial& trial = result.trials[i];
      if (trial.meets && (!result.best || trial.score.power_w < result.trials[*result.best].score.power_w))
        result.best = i;
    }
    result.trained = trained_;
    result.from_store = from_store_;
    return result;
  }

 private:
  std::vector<Trial> of_width(int bits) {
    std::vector<Trial> trials;
    const auto uniform = [&](int exponent) {
      return Combination(space_.layers.size(), Format{exponent, bits - 1 - exponent});
    };
    std::size_t best = 0;
    const int first = std::max(space_.first_exponent, bits - 1 - Format::kMostMantissa);
    for (int exponent = first; exponent <= std::min(Format::kMostExponent, bits - 2); ++exponent) {
      trials.push_back(tried(bits, {}, uniform(exponent)));
      const double accuracy = trials.back().score.accuracy_percent;
      if (trials.size() > 1 && accuracy <= trials[best].score.accuracy_percent) break;
      best = trials.size() - 1;
    }
    const Combination start = trials[best].combination;
    if (trials[best].meets) return trials;
    for (std::size_t layer = 0; layer < space_.layers.size(); ++layer) {
      Combination combination = start;
      while (combination[layer].bits() < space_.most_bits && combination[layer].mantissa < Format::kMostMantissa) {
        ++combination[layer].mantissa;
        trials.push_back(tried(bits, layer, combination));
        if (trials.back().meets) break;
      }
    }
    return trials;
  }

  Trial tried(int bits, std::optional<std::size_t> widened, const Combination& combination) {
    const std::vector<std::string> overrides = space_.overrides(combination);
    Trial trial{bits, widened, combination, score(overrides), false};
    trial.meets = trial.score.accuracy_percent >= space_.target_percent &&
                  (!options_.meets_clock || options_.meets_clock(overrides));
    return trial;
  }

  // Returns the score from the store if it has one.
  Score score(const std::vector<std::string>& overrides) {
    std::string key;
    for (const std::string& one : overrides) key += one + " ";
    if (options_.store)
      if (const auto known = options_.store->find(Store::Table::points, key)) {
        ++from_store_;
        return read(*known);
      }
    const Score fresh = trained(overrides);
    ++trained_;
    if (options_.store) options_.store->put(Store::Table::points, key, written(fresh));
    return fresh;
  }

  Score trained(const std::vector<std::string>& overrides) const {
    Request request;
    request.config = space_.config;
    request.network = options_.network;
    request.overrides = overrides;
    request.seed = options_.seed;
    request.data = data_.source;
    request.height = data_.train.height;
    request.width = data_.train.width;
    request.train = pictures_of(data_.train, space_.images);
    request.test = pictures_of(data_.test, space_.test);
    request.epochs = space_.epochs;
    const Result result = train(request);
    if (result.unschedulable)
      throw base::UserError(
          result.unschedulable->where,
          fmt::format("{}: does not fit: {}", result.unschedulable->layer, result.unschedulable->reason));
    return {result.accuracy_percent(), result.power_w(), result.energy_uj(result.training_image),
            result.training_image.cycles};
  }

  static Pictures pictures_of(const Labelled& set, int most) {
    return {set.pixels.data(), set.labels.data(), std::min(set.size(), static_cast<std::size_t>(most))};
  }

  static std::string written(const Score& score) {
    return fmt::format("{:a} {:a} {:a} {}", score.accuracy_percent, score.power_w, score.energy_uj, score.cycles);
  }

  static Score read(const std::string& text) {
    Score score;
    long long cycles = 0;
    if (std::sscanf(text.c_str(), "%la %la %la %lld", &score.accuracy_percent, &score.power_w, &score.energy_uj,
                    &cycles) != 4)
      throw base::UserError(fmt::format("explore: the store has '{}' where a score should be", text));
    score.cycles = cycles;
    return score;
  }

  const FormatSpace& space_;
  const DataSet& data_;
  const FormatOptions& options_;
  std::mutex progress_;
  std::atomic<std::int64_t> trained_{0}, from_store_{0};
};

}  // namespace

FormatResult search_formats(const FormatSpace& space, const DataSet& data, const FormatOptions& options) {
  return Search(space, data, options).run();
}

}  // namespace fansim::training::formats
