// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
// verilated_funcs.h uses this name, which <systemc.h> would declare.
using sc_core::sc_time_stamp;
#include "aximm2s_128.h"
#include "aximm2s_32.h"
#include "aximm2s_unaligned_128.h"
#include "axis2mm_128.h"
#include "axis2mm_32.h"
