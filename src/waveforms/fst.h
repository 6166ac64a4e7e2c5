// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::waveforms {

bool is_fst_name(const std::string& path);

// GTKWave's converter, as PATH has it. UserError about `wanted` if it is not there.
std::string find_fst_converter(const std::string& wanted);

// From one file to the other; UserError about `wanted` if the converter fails.
void convert_to_fst(const std::string& converter, const std::string& vcd, const std::string& fst,
                    const std::string& wanted);

}  // namespace fansim::waveforms
