// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>

#include "accelerators/stream/compile/place.h"
#include "accelerators/stream/config/command.h"

namespace fansim::stream {

// How a layer is cut into jobs, as bytes: all that its steps follow from, but for what configurations of the same
// array, port, host and memory share. What these differ in beyond, the sizes of buffers, decides nothing else.
class Cut {
 public:
  // `common`: what all commands have in common, as far as it is known.
  explicit Cut(const Command& common) : bytes_(reinterpret_cast<const char*>(&common), sizeof common) {
    static_assert(std::has_unique_object_representations_v<Command>);
  }

  Cut& add(std::initializer_list<std::int64_t> values) {
    bytes_.append(reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(std::int64_t));
    return *this;
  }
  Cut& add(const Place& p) {
    const Border& b = p.border;
    return add(
        {p.address, p.is_unsigned, p.planes, p.height, p.width, p.word_bytes(), b.top, b.left, b.bottom, b.right});
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Asked of a layer whether the steps that come of it are known. Then none are made.
struct KnownCut {
  using Asks = std::function<bool(const std::string& bytes)>;
  Asks uncut;  // of all that decides how it is cut, but for the configuration
  Asks cut;    // of a layer that is cut into jobs
};

}  // namespace fansim::stream
