// SPDX-License-Identifier: Apache-2.0
#include "base/thread.h"

#include <pthread.h>
#include <sched.h>

#include <future>
#include <utility>

namespace fansim::base {
namespace {

// Moves a thread that waits for this core to another one. Afterwards it may use all cores that this thread may use.
void send_on(std::thread& thread) {
  cpu_set_t all;
  const int here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE || pthread_getaffinity_np(pthread_self(), sizeof all, &all) != 0) return;
  cpu_set_t others = all;
  CPU_CLR(static_cast<std::size_t>(here), &others);
  if (CPU_COUNT(&others) == 0) return;
  pthread_setaffinity_np(thread.native_handle(), sizeof others, &others);
  pthread_setaffinity_np(thread.native_handle(), sizeof all, &all);
}

}  // namespace

// The thread does nothing before it may use all cores: it neither ends nor makes threads that might be allowed fewer.
std::thread begin_elsewhere(std::function<void()> work) {
  std::promise<void> sent;
  std::thread thread([work = std::move(work), sent = sent.get_future()] {
    sent.wait();
    work();
  });
  send_on(thread);
  sent.set_value();
  return thread;
}

}  // namespace fansim::base
