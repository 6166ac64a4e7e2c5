// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::contract {

// A receiver writes, and a job reads, half 0 or half 1 of a buffer, or the store beside them that has no halves, which
// is number kResident.
constexpr int kResident = 2;

// What a memory's ports move at one edge. The resource estimate pays for these ports, and the clocked machine may not
// move more.
struct BufferPorts {
  int write_bytes;
  int read_bytes;
  int readers = 1;  // readers at once, each at an address of its own
};

}  // namespace fansim::contract
