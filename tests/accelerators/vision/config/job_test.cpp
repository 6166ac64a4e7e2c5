// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/config/job.h"

#include <catch2/catch.hpp>

#include "base/random.h"

namespace fansim::job_test {

using namespace vision;

namespace {

struct Randomise {
  base::Random& random;
  template <class T>
  void word(const char*, T& value, const char*) {
    if constexpr (std::is_enum_v<T>)
      value = static_cast<T>(random.uniform(0, 2));
    else if constexpr (std::is_same_v<T, bool>)
      value = random.chance(50);
    else
      value = static_cast<T>(random.uniform(0, 1 << 20));
  }
};

}  // namespace

TEST_CASE("a job decoded from its registers is the job that was encoded") {
  base::Random random(1, "job");
  for (int i = 0; i < 100; ++i) {
    Job job;
    Job::visit(job, Randomise{random});
    for (std::int32_t& weight : job.weights) weight = random.uniform(-128, 127);
    const JobRegisters registers = encode(job);
    const Job back = decode(registers);
    CHECK(back.weights == job.weights);
    CHECK(encode(back).words == registers.words);
  }
}

TEST_CASE("all registers fit with the start behind them") {
  CHECK(JobRegisters::count() < static_cast<int>(JobRegisters().words.size()));
  CHECK(JobRegisters().start_offset() == 4U * static_cast<unsigned>(JobRegisters::count()));
}

TEST_CASE("a window's results lie its radius behind in rows and in samples of its pixels") {
  const PixelsConfig pixels;  // four samples a cycle
  Job job;
  job.row_bytes = 64;
  job.channels = 3;
  job.filter.kernel = 3;
  job.median.kernel = 5;
  CHECK(unit_delay(job, UnitCode::filter, pixels) == 16 + 1);      // three samples to the side: one cycle's worth
  CHECK(unit_delay(job, UnitCode::median, pixels) == 2 * 16 + 2);  // six: two
  CHECK(unit_delay(job, UnitCode::simd, pixels) == 0);
}

}  // namespace fansim::job_test
