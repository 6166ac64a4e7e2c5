// SPDX-License-Identifier: Apache-2.0
#include "timing/parameters_ahead.h"

namespace fansim::timing {

ParametersAhead::ParametersAhead(const std::vector<contract::LayerPlan>& layers, std::uint8_t* memory)
    : layers_(layers), memory_(memory) {
  if (contract::parameters_are_left(layers)) writer_ = std::thread([this] { write_all(); });
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

void ParametersAhead::wait_for(std::size_t layer) {
  if (!writer_.joinable()) return;
  std::unique_lock<std::mutex> lock(mutex_);
  written_more_.wait(lock, [&] { return written_ > layer; });
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace fansim::timing
