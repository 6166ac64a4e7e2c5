// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include <systemc>

// The tests' entry instead of the one in SystemC's library, which prints a banner before it calls sc_main.
int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
