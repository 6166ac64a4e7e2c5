// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/config/account.h"

namespace fansim::trainer {

const contract::Account& account() {
  static const contract::Account kAccount{
      {{"load", "an image, or the weights, came from memory"},
       {"convolution", "convolutions, forward"},
       {"pooling", "poolings, forward"},
       {"fully_connected", "fully connected layers, forward"},
       {"softmax", "softmax, and the gradient of the loss"},
       {"fully_connected_back", "gradients of fully connected layers' inputs and weights"},
       {"pooling_back", "gradients through poolings"},
       {"convolution_back", "gradients of convolutions' weights, and of the inputs of all but the first"},
       {"update", "theta - eta * gradient"},
       {"store", "results, or the weights, went to memory"},
       {"host", "the machine had nothing to do", true}},
      {kImages, kSaturations, kUnderflows}};
  return kAccount;
}

}  // namespace fansim::trainer
