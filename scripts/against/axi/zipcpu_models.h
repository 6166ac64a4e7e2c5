// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
// verilated_funcs.h names it as <systemc.h> would declare it.
using sc_core::sc_time_stamp;
#include "aximm2s_128.h"
#include "aximm2s_32.h"
#include "aximm2s_unaligned_128.h"
#include "axis2mm_128.h"
#include "axis2mm_32.h"
