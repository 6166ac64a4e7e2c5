// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/config/account.h"

namespace fansim::vision {

const contract::Account& account() {
  static const contract::Account kAccount{
      {{"stream", "cycles in which the reader sent samples into the units"},
       {"flush", "cycles in which it sent none of the image behind it, so that the last windows complete"},
       {"wait_output", "the reader waited for room behind the units"},
       {"wait_input", "the reader waited for samples from memory"},
       {"drain", "the reader was done, results were on their way to memory"},
       {"host", "the units had nothing to do", true}},
      {kPixels, kUnits}};
  return kAccount;
}

}  // namespace fansim::vision
