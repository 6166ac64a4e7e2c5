// SPDX-License-Identifier: Apache-2.0
#include "cosim/session.h"

// main is tests/support/main.cpp; arguments: block, summary file.
int sc_main(int, char* argv[]) {
  fansim::cosim::Session session(argv[1]);
  const int faults = fansim::cosim::add_lanes(session);
  return session.run(faults, argv[2]) ? 0 : 1;
}
