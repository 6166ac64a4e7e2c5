// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::base {

// Compiles a function for several instruction sets; a resolver picks one when the program starts. Sanitizers do not
// work with the resolver, so checked builds have the plain version only.
#if defined(__x86_64__) && !defined(FANSIM_CHECKED) && !defined(__SANITIZE_THREAD__)
#define FANSIM_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FANSIM_CLONES
#endif

}  // namespace fansim::base
