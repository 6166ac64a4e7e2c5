// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "arith/lut_kernel.h"
#include "sim/module.h"
#include "sim/storage.h"

// The registers and tables of an array of multipliers, as faults find them.
namespace fansim::blocks {

// `values` values for each output, in lines of `lanes` values.
struct ArrayShape {
  int outputs = 0, values = 0, lanes = 0;

  std::size_t words() const { return static_cast<std::size_t>(outputs) * static_cast<std::size_t>(values); }
  std::size_t lane(std::size_t word) const {
    const auto n = static_cast<std::size_t>(values);
    return word / n * static_cast<std::size_t>(lanes) + word % n;
  }
};

// Adds to a product of 16 bits, modulo 2^16. The rest that it cannot hold is added to another product of the same sum,
// if there is one.
void add_to_product(std::int16_t* product, std::int16_t* other, std::int64_t more);

// The weights in their registers, [set][output][value], sign-extended. `set(i)` returns where a set is.
class WeightBits final : public sim::Storage {
 public:
  WeightBits(sim::Module& owner, Of what, int sets, const ArrayShape& shape, int bits,
             std::function<std::int16_t*(int)> set);

  std::size_t words() const override { return static_cast<std::size_t>(sets_) * shape_.words(); }
  int word_bits() const override { return bits_; }
  void flip(std::size_t word, int bit) override;
  void hold(std::size_t word, int bit, bool value) override;

 private:
  std::int16_t& at(std::size_t word);
  const int sets_, bits_;
  const ArrayShape shape_;
  const std::function<std::int16_t*(int)> set_;
};

// The contents of the last registers, which are products or sums of them, [output][value]. A fault changes what leaves
// them at the next edge, if `leaves()` says that something does.
class ProductBits final : public sim::Storage {
 public:
  ProductBits(sim::Module& owner, Of what, const ArrayShape& shape, int bits, std::function<bool()> leaves);

  std::size_t words() const override { return shape_.words(); }
  int word_bits() const override { return bits_; }
  void flip(std::size_t word, int bit) override;
  void hold(std::size_t word, int bit, bool value) override;

  bool none() const { return hits_.empty(); }
  template <class T>
  void apply(T* products) {
    for (const Hit& hit : hits_) {
      T& product = products[shape_.lane(hit.word)];
      product = static_cast<T>(changed(product, hit));
    }
    hits_.clear();
  }

 private:
  struct Hit {
    std::size_t word;
    int bit;
    int value;  // -1 for the opposite of the present value
  };
  std::int32_t changed(std::int32_t value, const Hit& hit) const;

  const ArrayShape shape_;
  const int bits_;
  const std::function<bool()> leaves_;
  std::vector<Hit> hits_;
};

// The contents of reconfigurable tables, [output][value][LUT of its slices], 32 bits each: the entries of two
// neighbouring bits of a slice's product, the odd bit's in the upper half. A set that is loaded anew loses the faults
// of the one before.
class TableBits final : public sim::Storage {
 public:
  TableBits(sim::Module& owner, const ArrayShape& shape, const arith::LutKernelFormat& format,
            std::function<int()> set_in_use);

  std::size_t words() const override { return shape_.words() * static_cast<std::size_t>(luts_); }
  int word_bits() const override { return arith::kReloadCycles; }
  void flip(std::size_t word, int bit) override;
  void hold(std::size_t word, int bit, bool value) override;

  bool none() const { return hits_.empty(); }
  // Says that a set takes new weights.
  void loaded(int set);
  // Calls add(output, value, more) for a vector that uses a set; `more` is what faults add to that product.
  using Factor = std::function<int(int output, int value)>;
  void each(int set, const Factor& input, const Factor& weight,
            const std::function<void(int output, int value, std::int64_t more)>& add) const;

 private:
  struct Hit {
    int set, output, value;
    int slice, address, bit;  // bit of the slice's product
    int held;                 // -1 for the opposite of the present value
    bool same_place(const Hit& other) const;
  };
  Hit hit(std::size_t word, int bit, int held) const;

  const ArrayShape shape_;
  const arith::LutKernel kernel_;
  const int luts_;  // LUTs of one product
  const std::function<int()> set_in_use_;
  std::vector<Hit> hits_;
};

}  // namespace fansim::blocks
