// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::base {

// A file or folder with the name PATH.PROCESS.N.tmp that nobody else writes. It is locked as long as its descriptor is
// open. If a process was killed, any host that sees the file can tell: nobody holds its lock.
struct Own {
  std::string name;
  int descriptor = -1;  // -1 if it could not be made; errno says why
};
Own make_own_file(const std::string& path);    // opens it for writing
Own make_own_folder(const std::string& path);  // only this user may enter it

// Removes files and folders with names of `path` that nobody holds. It does so only the first time that this process
// asks, so that a large folder is not read for every file that is written. It does nothing where storage has no locks.
void remove_stale(const std::string& path);

}  // namespace fansim::base
