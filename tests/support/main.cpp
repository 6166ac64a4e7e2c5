// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include <systemc>

#ifdef FANSIM_CHECKED
// SystemC's threads run on stacks of their own, which the leak sanitizer may still take for this thread's when they are
// gone; it then reads what is no memory any more. What nothing but a stack points to at the end is left out of its
// look.
extern "C" const char* __lsan_default_options();
extern "C" const char* __lsan_default_options() { return "use_stacks=0"; }
#endif

// Replaces the main() of SystemC's library, which prints a banner before it calls sc_main.
int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
