// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/workers.h"
#include "contract/host_steps.h"
#include "contract/program.h"
#include "contract/result.h"

namespace fansim::timing {

// Times a program's layers on every core, before whoever runs them in order needs them. Each layer starts on a machine
// at rest. So all that it knows of the layer before is what that left, a Left, which seldom delays it. Layers are timed
// as if nothing was left; those that are delayed are timed again when their turn comes.
template <class Left>
class LayersAhead {
 public:
  struct Timed {
    contract::LayerResult result;
    Left left;  // what it leaves for the next layer, counted from this one's end
  };
  // Times a layer from what the layer before left. It is called on several threads at once.
  using Time = std::function<Timed(const contract::LayerSteps&, const Left&, const contract::ProgressCallback&)>;

  using Kin = std::function<int(const contract::LayerPlan&)>;

  // The program's steps stay as they are. `nothing` is what delays no layer. Unless `wanted`, every layer is timed in
  // its turn. A thread goes on with a layer's kin if it can.
  LayersAhead(const contract::Program& program, bool wanted, const Left& nothing, Time time, const Kin& kin = {})
      : nothing_(nothing), time_(std::move(time)) {
    if (!wanted || base::cores() == 1) return;
    contract::LayerSteps layer;
    for (std::size_t at = 0; contract::next_layer(program, at, layer);) layers_.push_back(layer);
    if (layers_.size() < 2) return;
    timed_.resize(layers_.size());
    std::vector<int> kin_of;
    if (kin)
      for (const contract::LayerSteps& of : layers_) kin_of.push_back(kin(*of.plan));
    const std::size_t threads = std::min({layers_.size(), static_cast<std::size_t>(base::cores()), kMostThreads});
    work_.emplace(
        static_cast<int>(threads) - 1, layers_.size(),
        [this](std::size_t i) { timed_[i] = time_(layers_[i], nothing_, [this] { look(); }); }, std::move(kin_of));
  }
  ~LayersAhead() { ended_ = true; }

  // Returns the program's next layer, timed with what is left. `delays` says whether that matters. `progress` is called
  // on this thread.
  Timed next(const contract::LayerSteps& layer, const Left& left, bool delays,
             const contract::ProgressCallback& progress) {
    const std::size_t piece = next_++;
    if (delays || !work_) return time_(layer, delays ? left : nothing_, progress);
    progress_ = &progress;
    work_->wait_for(piece, [this] { look(); });
    return std::move(*std::exchange(timed_[piece], std::nullopt));
  }

 private:
  static constexpr std::size_t kMostThreads = 8;  // each holds a layer, and what it knows of those before
  struct Ended {};

  void look() const {
    if (ended_) throw Ended{};
    if (std::this_thread::get_id() == owner_ && *progress_) (*progress_)();
  }

  const Left nothing_;
  const Time time_;
  const std::thread::id owner_ = std::this_thread::get_id();
  std::vector<contract::LayerSteps> layers_;
  std::vector<std::optional<Timed>> timed_;
  std::size_t next_ = 0;  // index of the next layer
  const contract::ProgressCallback* progress_ = nullptr;
  std::atomic<bool> ended_{false};
  std::optional<base::WorkAhead> work_;  // declared last, so that its threads end before what they use
};

}  // namespace fansim::timing
