// SPDX-License-Identifier: Apache-2.0
#pragma once

// A function that is compiled for AVX-512, for AVX2 and for neither, chosen when the program starts; under a sanitizer
// for neither, because that choice comes before its runtime is up.
#if defined(__x86_64__) && !defined(FANSIM_CHECKED) && !defined(__SANITIZE_THREAD__)
#define FANSIM_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FANSIM_CLONES
#endif

namespace fansim::base {}  // which macros have none of
