// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
// verilated_funcs.h uses this name, which <systemc.h> would declare.
using sc_core::sc_time_stamp;
#include "axi_adapter_32_128.h"
#include "axi_crossbar_2x1.h"
#include "axi_dma_32.h"
#include "axi_ram_32.h"
