// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/hardware/types.h"
#include "arith/lut_kernel.h"
#include "blocks/array_bits.h"

namespace fansim::stream {

// Computes what leaves the cells of a MAC array for a window and a weight set. Weights lie as
// [output channel][as Window]. Each kind of array has a class of its own.
class MacCells {
 public:
  // Adds to the product of an output channel and a tap.
  using Add = std::function<void(int output, int tap, std::int64_t more)>;
  // Calls its argument for each product that faulty tables change; empty: no table is faulty.
  using TableFaults = std::function<void(const Add&)>;

  explicit MacCells(const ArrayConfig& config);
  virtual ~MacCells() = default;

  // Return the terms of a window in the last registers, and the bits of each term.
  virtual blocks::ArrayShape shape() const = 0;
  virtual int bits() const = 0;
  virtual void multiply(const Window& window, const std::int16_t* weights, const TableFaults& faults,
                        Terms& out) const = 0;

  // Returns the activation of a tap, which holds the bits of an unsigned activation of two bytes.
  int activation(const Window& window, int tap) const {
    const std::int16_t held = window.taps[static_cast<std::size_t>(tap)];
    return config_.value_bytes() == 2 && window.tag.job->input_unsigned ? static_cast<std::uint16_t>(held) : held;
  }
  // Return the products of one output channel, padded to whole vectors, and where all products lie.
  int lanes() const { return lanes_; }
  blocks::ArrayShape products() const { return {config_.output_channels, config_.window_values(), lanes_}; }

 protected:
  const ArrayConfig config_;

 private:
  const int lanes_;
};

// Every product leaves these cells. A DSP slice makes one product or a packed pair; LUTs make one product.
class ProductCells : public MacCells {
 public:
  using MacCells::MacCells;
  blocks::ArrayShape shape() const override { return products(); }
  int bits() const override { return config_.operand_bits + config_.weight_bits(); }
  void multiply(const Window& window, const std::int16_t* weights, const TableFaults& faults,
                Terms& out) const override;
  // Sums a window's products as an adder tree does: [parallel row][output channel].
  void sum(const Window& window, const std::int16_t* weights, std::int32_t* out) const;

 private:
  // Returns the distance to a product of the same sum that may hold a part of this product's value; 0: none may.
  virtual int partner_of(int) const { return 0; }
};

// These cells are kernels of tables, whose compressor trees sum the table entries of a tap row. The products that the
// entries add up to stand for them.
class KernelCells final : public ProductCells {
 public:
  using ProductCells::ProductCells;

 private:
  int partner_of(int tap) const override;
};

// Sums of each tap row leave these cells, modulo 2^32: one sum, or one for each of the row's chains.
class RowCells : public MacCells {
 public:
  blocks::ArrayShape shape() const override;
  int bits() const override;

 protected:
  // `products` products make a sum.
  RowCells(const ArrayConfig& config, int products) : MacCells(config), products_(products) {}

  // Stores result(sum of product(activation, weight)) for each sum.
  template <class Product, class Result>
  void sum_rows(const Window& window, const std::int16_t* weights, const TableFaults& faults, Terms& out,
                Product product, Result result) const;

 private:
  std::vector<std::int64_t> faults_of_rows(const TableFaults& faults) const;
  const int products_;
};

// These cells are chains of DSP slices, which sum the pairs that they make. Sums are exact: the compiler refuses layers
// that a chain could not sum (contract::DualInt8Config::exact()).
class ChainCells final : public RowCells {
 public:
  explicit ChainCells(const ArrayConfig& config) : RowCells(config, config.chain_terms()) {}
  void multiply(const Window& window, const std::int16_t* weights, const TableFaults& faults,
                Terms& out) const override;
};

// These cells have values of two bytes, whose products take 32 bits.
class WideCells final : public RowCells {
 public:
  explicit WideCells(const ArrayConfig& config) : RowCells(config, config.cols * config.input_channels) {}
  void multiply(const Window& window, const std::int16_t* weights, const TableFaults& faults,
                Terms& out) const override;
};

// These cells are kernels of tables that round: a compressor tree keeps the upper bits of a tap row's entries.
class RoundingCells final : public RowCells {
 public:
  explicit RoundingCells(const ArrayConfig& config)
      : RowCells(config, config.cols * config.input_channels), kernel_(config.kernel().format) {}
  void multiply(const Window& window, const std::int16_t* weights, const TableFaults& faults,
                Terms& out) const override;

 private:
  const arith::LutKernel kernel_;
};

std::unique_ptr<const MacCells> cells_of(const ArrayConfig& config);

}  // namespace fansim::stream
