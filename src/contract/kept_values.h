// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::contract {

// What several runs of one program may share of its values, on any thread. Each kind of machine derives its own.
struct KeptValues {
  virtual ~KeptValues() = default;
};

}  // namespace fansim::contract
