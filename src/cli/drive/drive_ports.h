// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::cli {

// What `describe drive-ports` prints.
void describe_drive_ports();

}  // namespace fansim::cli
