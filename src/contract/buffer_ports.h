// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::contract {

// What a memory's ports move at one edge: the estimate pays for them, the clocked machine is held to them.
struct BufferPorts {
  int write_bytes;
  int read_bytes;
  int readers = 1;  // at once, each at an address of its own
};

}  // namespace fansim::contract
