// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/dma_map.h"

namespace fansim::axi {
namespace dma_map = arch::dma_map;
}  // namespace fansim::axi
