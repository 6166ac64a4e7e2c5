// SPDX-License-Identifier: Apache-2.0
#include "memory/ping_pong.h"

#include <fmt/format.h>

#include <cstring>

namespace fansim::memory {

namespace {
constexpr int kMargin = 4096;  // bytes of zeros behind a target
}  // namespace

PingPong::PingPong(const sc_core::sc_module_name& name, Role role, const contract::BufferPorts& ports, int half_bytes,
                   int resident_bytes)
    : sim::Module(name),
      role_(role),
      capacity_{half_bytes, half_bytes, resident_bytes},
      write_ports_(ports.write_bytes),
      read_ports_(ports.readers * ports.read_bytes) {
  for (std::size_t i = 0; i < bytes_.size(); ++i)
    if (capacity_[i] > 0) bytes_[i].resize(static_cast<std::size_t>(capacity_[i] + kMargin));
}

const std::uint8_t* PingPong::read(int target, int offset, int bytes) {
  if (!readable(target)) violation(fmt::format("target {} read while it is being filled", target));
  if (offset < 0 || static_cast<std::size_t>(offset + bytes) > bytes_[index(target)].size())
    violation(fmt::format("read of {} bytes at {} of {}", bytes, offset, capacity(target)));
  if (!read_ports_.spend(bytes, now())) violation("more read at an edge than the ports move");
  ++reads_;
  return bytes_[index(target)].data() + offset;
}

void PingPong::write(int target, int offset, const std::uint8_t* data, int bytes) {
  if (!writable(target)) violation(fmt::format("target {} written while it is in use", target));
  if (offset < 0 || offset + bytes > capacity(target))
    violation(fmt::format("write of {} bytes at {} of {}", bytes, offset, capacity(target)));
  if (!write_ports_.spend(bytes, now())) violation("more written at an edge than the port moves");
  ++writes_;
  std::uint8_t* const to = bytes_[index(target)].data() + offset;
  if (bytes == 16)
    std::memcpy(to, data, 16);
  else
    std::memcpy(to, data, static_cast<std::size_t>(bytes));
}

}  // namespace fansim::memory
