// SPDX-License-Identifier: Apache-2.0
// Written by: estimate_test "[.write]", least squares over the points of tests/rtl/resources.csv in set `fit`.
#include "estimate/twins.h"

namespace fansim::estimate {

const std::vector<TwinCoefficients>& yosys_coefficients() {
  static const std::vector<TwinCoefficients> all{
      {"stream_register", {1, 5}, {2, 2}},
      {"command_registers", {796}, {1906}},
      {"job_store", {384, 0}, {0, 0}},
      {"stream_receiver", {1, 11}, {1, 5}},
      {"ping_pong", {1.00542, 56.4796}, {1.00596, 0.997005}},
      {"bias_buffer", {2.14022, 37.0257}, {2, 3}},
      {"hidden_state", {1, 1, 1}, {0.984375, 3}},
      {"output_store", {0.637125, 320.612}, {2, 3, 332}},
      {"output_writer", {0.549834, 465.811}, {1.0625, 14.5, 251}},
      {"packer", {64.501, 20.9555, -14.0556}, {8, 24, 21}},
      {"sequencer", {883.412}, {1275}},
      {"line_buffer", {2.06546, 1.03563, 328.147}, {2, 123}},
      {"sliding_window", {0.846408, 16.1785, 354.164}, {1, 244}},
      {"weight_reader", {1.00483, 32.8275}, {2.00266, 27.8818}},
      {"mac_array",
       {1.01138, 0.0562905, 110.025, 92.7117, 3.98152, 94.5513, 1.05833, 1.131, 19.3872, 95.8073},
       {2.499, 69.8961, 71.9366, 9.14565, 150.06, 1.99709, 0.724889, 2.28266, 2.81498, 1.2202, 142.718}},
      {"adder_tree", {0.938771, 1.74448, -0.757594, 126.202}, {1.00157, 146.642}},
      {"accumulator", {2.99434, 0.537557, 292.94}, {1.04391, 1.00613, 2.92136, 297.427}},
      {"quantiser", {187.75, 5.21152, 2.04042, 204.421}, {101, 3, 314}},
      {"pooling", {3.32947, 27.8452, 875.839}, {1.00127, 1.27062, 488.691}},
      {"activation", {54, 78}, {95, 151}},
      {"recurrent_cell", {53.9563, 463.615}, {152.693, 638.783}},
      {"reload_controller", {10.0688, 38.6108, 18.2683}, {7, 28, 8}},
      {"lut_multiplier", {0.972222, 1.05556, 26}, {0.998395, 12.6547}},
      {"compressor_tree", {1, 1, 5}, {0.933865, 3.06842, -11.3295}},
      {"dual_int8_mac", {56}, {1, 103}},
      {"tile_engine", {1.18118, 108.448, 1.01822, 114.147}, {0.994465, 69.8523, 7.82818, -16.4585}},
      {"graded_decoder", {1.08881, 7.11825, 181.449}, {2, 66}},
      {"graded_encoder", {2.15262, 1.76429, 32.5054, 207.208}, {2.00005, 8.00193, 60.4329}},
  };
  return all;
}

}  // namespace fansim::estimate
