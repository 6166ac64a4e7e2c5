// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::base {

// Returns a text that tells this build of the program from others, in hexadecimal: the hash that the linker made of all
// that it put together. The same sources, compiler and options give the same hash in any folder, and stripping keeps
// it. It does not cover shared libraries, on which results depend too. If the linker made no hash, the program's own
// bytes are hashed.
const std::string& build_id();

}  // namespace fansim::base
