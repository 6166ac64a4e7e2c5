// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/config/account.h"

namespace fansim::decoupled {

const contract::Account& account() {
  static const contract::Account kAccount{
      {{"multiply", "cycles in which the compute unit multiplied"},
       {"pool", "cycles in which it pooled"},
       {"post", "cycles in which it post-processed sums"},
       {"overhead", "it was in a command, before its first step or behind its last"},
       {"wait_load", "it waited for the load unit"},
       {"wait_weights", "it waited for the second load unit"},
       {"wait_store", "it waited for the store unit"},
       {"load", "it was done, a load unit was at work"},
       {"store", "it was done, the store unit was at work"},
       {"host", "no job was under way", true}},
      {}};
  return kAccount;
}

}  // namespace fansim::decoupled
