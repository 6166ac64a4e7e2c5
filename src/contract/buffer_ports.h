// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::contract {

// What a memory's ports move at one edge. The resource estimate pays for these ports, and the clocked machine may not
// move more.
struct BufferPorts {
  int write_bytes;
  int read_bytes;
  int readers = 1;  // readers at once, each at an address of its own
};

}  // namespace fansim::contract
