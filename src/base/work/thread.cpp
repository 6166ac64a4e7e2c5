// SPDX-License-Identifier: Apache-2.0
#include "base/work/thread.h"

#include <pthread.h>
#include <sched.h>

#include <utility>

namespace fansim::base {

// Only a thread that waits on a core which it must not use is moved; after that it may use all that its maker may. Of
// one that has ended already the C library takes both calls for its maker's own: the second undoes the first.
std::thread begin_elsewhere(std::function<void()> work) {
  std::thread thread(std::move(work));
  cpu_set_t all;
  const int here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE || pthread_getaffinity_np(pthread_self(), sizeof all, &all) != 0) return thread;
  cpu_set_t others = all;
  CPU_CLR(static_cast<std::size_t>(here), &others);
  if (CPU_COUNT(&others) == 0) return thread;
  pthread_setaffinity_np(thread.native_handle(), sizeof others, &others);
  pthread_setaffinity_np(thread.native_handle(), sizeof all, &all);
  return thread;
}

}  // namespace fansim::base
