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

// Describes, as bytes, how a layer is cut into jobs. All steps follow from it, except for what configurations with the
// same array, port, host and memory share. Such configurations differ only in the sizes of buffers, which decide
// nothing else.
class Cut {
 public:
  // `common` holds what all commands have in common, as far as it is known.
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

// Asks a cache whether it has the steps of a layer. If it has, they are not made again.
struct CutCache {
  using Asks = std::function<bool(const std::string& bytes)>;
  Asks uncut;  // asked with everything that decides how a layer is cut, except the configuration
  Asks cut;    // asked with the cut of a layer into jobs
};

}  // namespace fansim::stream
