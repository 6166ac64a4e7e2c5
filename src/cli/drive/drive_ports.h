// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::cli {

// Prints `describe drive-ports`.
void describe_drive_ports();

}  // namespace fansim::cli
