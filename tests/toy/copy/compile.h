// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compile/compile.h"
#include "toy/copy/config.h"

namespace fansim::copy {

// A tensor is one run of bytes from a multiple of 4 KiB on.
struct StoredBytes final : contract::StoredTensor {
  std::uint32_t address = 0;
  std::size_t bytes = 0;
  bool is_unsigned = false;

  std::vector<std::int32_t> values(const std::uint8_t* memory) const override;
};

// Layers that copy: a maximum over windows of one value.
compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options);

}  // namespace fansim::copy
