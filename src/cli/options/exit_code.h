// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::cli {

// These exit codes do not change, because scripts rely on them.
enum ExitCode {
  kDone = 0,
  kDiffers = 1,    // verification disagrees, a figure is outside its tolerance, the driver gave up, rows were left out
  kUserError = 2,  // a file or an option is wrong
  kDoesNotFit =
      3,           // the design exceeds the device or its Fmax, the network the buffers, no point meets its constraints
  kViolation = 4,  // the model broke a rule of its own
  kInterrupted = 130  // SIGINT
};

}  // namespace fansim::cli
