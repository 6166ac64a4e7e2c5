// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/stream/config/buffers.h"
#include "contract/buffer.h"
#include "contract/resources.h"
#include "estimate/path.h"

namespace fansim::stream {

// Return the resources and the longest paths of a memory of `kib` KiB with a copy for each reader. Its rows are as wide
// as the wider one of its two sides, reading and writing.
contract::Resources memory_use(int kib, const contract::BufferPorts& ports, RamStyle style);
std::vector<estimate::Path> memory_paths(int kib, const contract::BufferPorts& ports, RamStyle style,
                                         const contract::Resources& use);

}  // namespace fansim::stream
