// SPDX-License-Identifier: Apache-2.0
#include "timing/parameters_ahead.h"

#include <algorithm>

namespace fansim::timing {

ParametersAhead::ParametersAhead(const std::vector<contract::LayerPlan>& layers, std::uint8_t* memory)
    : layers_(layers), memory_(memory) {
  if (std::any_of(layers.begin(), layers.end(), [](const auto& layer) { return layer.parameters != nullptr; }))
    writer_ = std::thread([this] { write_all(); });
}

ParametersAhead::~ParametersAhead() {
  stopped_ = true;
  if (writer_.joinable()) writer_.join();
}

void ParametersAhead::write_all() {
  std::exception_ptr failure;
  for (std::size_t i = 0; i < layers_.size() && !failure && !stopped_; ++i) {
    try {
      if (layers_[i].parameters) layers_[i].parameters(memory_);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    failure_ = failure;
    written_ = failure ? layers_.size() : i + 1;
    written_more_.notify_all();
  }
}

void ParametersAhead::wait_for(const contract::LayerPlan& layer) {
  if (!writer_.joinable()) return;
  const auto index = static_cast<std::size_t>(&layer - layers_.data());
  std::unique_lock<std::mutex> lock(mutex_);
  written_more_.wait(lock, [&] { return written_ > index; });
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace fansim::timing
