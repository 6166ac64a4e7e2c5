// SPDX-License-Identifier: Apache-2.0
#include "timing/parameters_ahead.h"

#include "base/thread.h"
#include "base/workers.h"

namespace fansim::timing {

ParametersAhead::ParametersAhead(const std::vector<contract::LayerPlan>& layers, std::uint8_t* memory)
    : layers_(layers), memory_(memory) {
  if (!contract::parameters_are_left(layers))
    written_ = layers.size();
  else if (base::cores() > 1)
    writer_ = base::begin_elsewhere([this] {
      for (std::size_t i = 0; i < layers_.size() && !failure_ && !stopped_; ++i) write(i);
    });
}

ParametersAhead::~ParametersAhead() {
  stopped_ = true;
  if (writer_.joinable()) writer_.join();
}

void ParametersAhead::write(std::size_t layer) {
  std::exception_ptr failure;
  try {
    if (layers_[layer].parameters) layers_[layer].parameters(memory_);
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  failure_ = failure;
  written_ = layer + 1;
  written_more_.notify_all();
}

void ParametersAhead::wait_for(std::size_t layer) {
  if (!writer_.joinable()) {
    const std::lock_guard<std::mutex> one(without_thread_);
    while (written_ <= layer && !failure_) write(written_);
  }
  std::unique_lock<std::mutex> lock(mutex_);
  written_more_.wait(lock, [&] { return written_ > layer || failure_; });
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace fansim::timing
