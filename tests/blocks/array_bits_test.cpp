// SPDX-License-Identifier: Apache-2.0
#include "blocks/array_bits.h"

#include <catch2/catch.hpp>

#include "base/random.h"
#include "primitives/reconfigurable_table.h"

namespace fansim::array_bits_test {

using blocks::ArrayShape;

namespace {

class Owner final : public sim::Module {
 public:
  Owner() : Module("owner") {}
  void step() override {}
};

// Holds the LUTs of one product as the vendor's primitives, loaded bit by bit as the controller sends them.
class Product {
 public:
  Product(const arith::LutKernel& kernel, int coefficient) : kernel_(kernel) {
    for (int slice = 0; slice < kernel.slices(); ++slice)
      for (int lut = 0; lut < kernel.table_luts(slice); ++lut) {
        std::uint64_t contents = 0;
        for (int bit = 0; bit < 32; ++bit) {
          const int place = kernel.first_bit(slice) + 2 * lut + bit / 16;
          if (place < kernel.product_bits() && (kernel.entry(coefficient, slice, bit % 16) >> place & 1) != 0)
            contents |= std::uint64_t{1} << bit;
        }
        luts_.push_back(contents);
      }
  }
  void flip(std::size_t lut, int bit) { luts_[lut] ^= std::uint64_t{1} << bit; }

  // Returns the sum of the tables of all slices, with the constant that undoes the inverted sign bits.
  std::int64_t of(int x) const {
    std::int64_t sum = 0;
    std::size_t lut = 0;
    for (int slice = 0; slice < kernel_.slices(); ++slice)
      for (int pair = 0; pair < kernel_.table_luts(slice); ++pair, ++lut) {
        primitives::Cfglut5 table({luts_[lut], 0});
        primitives::Cfglut5::Inputs in;
        const int address = x >> 4 * slice & 15;
        in.i0 = address & 1;
        in.i1 = address & 2;
        in.i2 = address & 4;
        in.i3 = address & 8;
        in.i4 = true;
        const auto out = table.step(in);
        const int place = kernel_.first_bit(slice) + 2 * pair + 4 * slice;
        const bool beyond = kernel_.first_bit(slice) + 2 * pair + 1 >= kernel_.product_bits();
        sum += static_cast<std::int64_t>(out.o5.value) << place;
        if (!beyond) sum += static_cast<std::int64_t>(out.o6.value) << (place + 1);
      }
    return sum + kernel_.constant();
  }

 private:
  const arith::LutKernel& kernel_;
  std::vector<std::uint64_t> luts_;
};

}  // namespace

TEST_CASE("what a fault in a table adds to a product is what the vendor's primitive reads") {
  Owner owner;
  arith::LutKernelFormat format;
  format.inputs = 1;
  format.coefficient_bits = GENERATE(8, 7, 12);
  format.input_bits = GENERATE(8, 12);
  const arith::LutKernel kernel(format);
  base::Random random(1, "tables");
  for (int i = 0; i < 300; ++i) {
    const int most = (1 << (format.coefficient_bits - 1)) - 1, largest = (1 << (format.input_bits - 1)) - 1;
    const int coefficient = random.uniform(-most, most);
    blocks::TableBits bits(owner, {1, 1, 1}, format, [] { return 0; });
    Product product(kernel, coefficient);
    const std::size_t lut = random.next() % bits.words();
    const int bit = random.uniform(0, 31);
    bits.flip(lut, bit);
    product.flip(lut, bit);
    for (int n = 0; n < 40; ++n) {
      const int x = random.uniform(-largest - 1, largest);
      std::int64_t more = 0;
      bits.each(
          0, [x](int, int) { return x; }, [coefficient](int, int) { return coefficient; },
          [&more](int, int, std::int64_t added) { more += added; });
      CAPTURE(format.coefficient_bits, format.input_bits, coefficient, lut, bit, x);
      REQUIRE(std::int64_t{coefficient} * x + more == product.of(x));
    }
  }
}

TEST_CASE("a table's fault stays until its set is loaded anew and is of that set alone") {
  Owner owner;
  int in_use = 3;
  blocks::TableBits bits(owner, {2, 5, 8}, {}, [&in_use] { return in_use; });
  bits.flip(0, 0);
  const auto hits = [&bits](int set) {
    int count = 0;
    bits.each(
        set, [](int, int) { return 0; }, [](int, int) { return 1; }, [&count](int, int, std::int64_t) { ++count; });
    return count;
  };
  CHECK(hits(3) == 1);
  CHECK(hits(4) == 0);
  bits.loaded(4);
  CHECK(hits(3) == 1);
  bits.loaded(3);
  CHECK(bits.none());
  bits.flip(0, 0);
  bits.flip(0, 0);
  CHECK(bits.none());
}

TEST_CASE("a weight's bits are those of its width and are sign-extended") {
  Owner owner;
  std::vector<std::int16_t> sets(2 * 3 * 8);
  blocks::WeightBits bits(owner, sim::Storage::Of::dsp_registers, 2, {3, 5, 8}, 8,
                          [&sets](int set) { return sets.data() + set * 24; });
  REQUIRE(bits.words() == 30);
  bits.flip(15 + 7, 7);  // a bit of set 1, output 1, value 2
  CHECK(sets[24 + 8 + 2] == -128);
  bits.flip(22, 7);
  CHECK(sets[24 + 8 + 2] == 0);
  bits.hold(22, 3, true);
  bits.hold(22, 3, true);
  CHECK(sets[24 + 8 + 2] == 8);
}

TEST_CASE("a product's fault reaches what leaves next once and nothing if nothing leaves") {
  Owner owner;
  bool leaves = false;
  blocks::ProductBits bits(owner, sim::Storage::Of::dsp_registers, {2, 3, 4}, 16, [&leaves] { return leaves; });
  bits.flip(4, 15);
  CHECK(bits.none());
  leaves = true;
  bits.flip(4, 15);
  bits.hold(0, 1, true);
  std::vector<std::int16_t> products(8, 1);
  bits.apply(products.data());
  CHECK(products == std::vector<std::int16_t>{3, 1, 1, 1, 1, -32767, 1, 1});
  CHECK(bits.none());
}

TEST_CASE("what a product of tables does not hold goes to another one of its sum") {
  std::int16_t product = 32000, other = -5;
  blocks::add_to_product(&product, &other, 2048);
  CHECK(int{product} + other == 32000 - 5 + 2048);
  product = 32000;
  blocks::add_to_product(&product, nullptr, 2048);
  CHECK(product == static_cast<std::int16_t>(34048));
}

}  // namespace fansim::array_bits_test
