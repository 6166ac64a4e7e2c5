// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::contract {

// What runs of one program's values may share, on any thread: of one kind of machine.
struct KeptValues {
  virtual ~KeptValues() = default;
};

}  // namespace fansim::contract
