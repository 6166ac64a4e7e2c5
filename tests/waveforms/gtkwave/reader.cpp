// SPDX-License-Identifier: Apache-2.0
// This includes GTKWave's own code for FST, which comes with Verilator.
#define FST_CONFIG_INCLUDE "fst_config.h"
#define LZ4_DISABLE_DEPRECATE_WARNINGS
#include "fastlz.c"
#include "fstapi.c"
#include "lz4.c"
