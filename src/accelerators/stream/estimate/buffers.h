// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/stream/config/buffers.h"
#include "contract/buffer_ports.h"
#include "contract/resources.h"
#include "estimate/path.h"

namespace fansim::stream {

// A memory of `kib` with a copy for each reader, in rows as wide as the wider of reading and writing, and its longest
// paths.
contract::Resources memory_use(int kib, const contract::BufferPorts& ports, RamStyle style);
std::vector<estimate::Path> memory_paths(int kib, const contract::BufferPorts& ports, RamStyle style,
                                         const contract::Resources& use);

}  // namespace fansim::stream
