// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::base {

// What tells this build of the program from others, in hexadecimal: the linker's hash of all that it put together. The
// same sources, compiler and options give the same one, in any folder; stripping keeps it. What results depend on
// beside it are shared libraries. A program linked without one has the hash of its bytes.
const std::string& build_id();

}  // namespace fansim::base
