// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.h"

#include <csignal>

namespace fansim::base {

namespace {
volatile std::sig_atomic_t interrupt_seen = 0;

void remember(int signal) {
  interrupt_seen = 1;
  std::signal(signal, SIG_DFL);
}
}  // namespace

void catch_interrupts() { std::signal(SIGINT, remember); }

bool interrupted() { return interrupt_seen != 0; }

void stop_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

}  // namespace fansim::base
