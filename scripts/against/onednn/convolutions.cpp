// SPDX-License-Identifier: Apache-2.0
// Measures the processor seconds of oneDNN's INT8 convolutions on one thread. Each line "channels height width filters
// kernel stride padding groups" of standard input is a convolution with unsigned bytes in and out; weights and bias are
// laid out beforehand.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <dnnl.hpp>

using Memory = dnnl::memory;

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Memory filled(const Memory::desc& desc, const dnnl::engine& engine) {
  Memory memory(desc, engine);
  std::memset(memory.get_data_handle(), 1, desc.get_size());
  return memory;
}

struct Shape {
  Memory::dim channels, height, width, filters, kernel, stride, padding, groups;
};

double seconds_of(const Shape& s, const dnnl::engine& engine, dnnl::stream& stream) {
  const auto any = Memory::format_tag::any;
  const auto out = [&s](Memory::dim in) { return (in + 2 * s.padding - s.kernel) / s.stride + 1; };
  const Memory::dims weights =
      s.groups == 1 ? Memory::dims{s.filters, s.channels, s.kernel, s.kernel}
                    : Memory::dims{s.groups, s.filters / s.groups, s.channels / s.groups, s.kernel, s.kernel};
  const dnnl::convolution_forward::desc desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                                             {{1, s.channels, s.height, s.width}, Memory::data_type::u8, any},
                                             {weights, Memory::data_type::s8, any},
                                             {{s.filters}, Memory::data_type::s32, any},
                                             {{1, s.filters, out(s.height), out(s.width)}, Memory::data_type::u8, any},
                                             {s.stride, s.stride}, {s.padding, s.padding}, {s.padding, s.padding});
  dnnl::primitive_attr scaled;
  scaled.set_output_scales(0, {0.01F});
  const dnnl::convolution_forward::primitive_desc chosen(desc, scaled, engine);
  dnnl::convolution_forward convolution(chosen);
  Memory source = filled(chosen.src_desc(), engine), kernels = filled(chosen.weights_desc(), engine),
         bias = filled(chosen.bias_desc(), engine), target = filled(chosen.dst_desc(), engine);
  double best = 1e9;
  for (int repeat = 0; repeat < 9; ++repeat) {
    const double begin = cpu_seconds();
    convolution.execute(
        stream, {{DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, kernels}, {DNNL_ARG_BIAS, bias}, {DNNL_ARG_DST, target}});
    stream.wait();
    best = std::min(best, cpu_seconds() - begin);
  }
  return best;
}

}  // namespace

int main() {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  Shape s{};
  while (std::scanf("%ld %ld %ld %ld %ld %ld %ld %ld", &s.channels, &s.height, &s.width, &s.filters, &s.kernel,
                    &s.stride, &s.padding, &s.groups) == 8)
    std::printf("%.9f\n", seconds_of(s, engine, stream));
}
