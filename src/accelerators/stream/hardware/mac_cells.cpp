// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/mac_cells.h"

#include <algorithm>

#include "kernels/mac.h"

namespace fansim::stream {

MacCells::MacCells(const ArrayConfig& config)
    : config_(config), lanes_(base::round_up(config.window_values(), kernels::kLanes)) {}

void ProductCells::multiply(const Window& window, const std::int16_t* weights, const TableFaults& faults,
                            Terms& out) const {
  out.kind = Terms::Kind::products;
  kernels::multiply(window.taps.data(), weights, config_.output_channels, lanes(), out.products.data());
  if (!faults) return;
  faults([&](int output, int tap, std::int64_t more) {
    std::int16_t* const product = out.products.data() + output * lanes() + tap;
    const int partner = partner_of(tap);
    blocks::add_to_product(product, partner == 0 ? nullptr : product + partner, more);
  });
}

// Each of several rows in parallel is a window in which the other rows' taps are zero.
void ProductCells::sum(const Window& window, const std::int16_t* weights, std::int32_t* out) const {
  const Command& job = *window.tag.job;
  const std::int16_t* const taps = window.taps.data();
  if (job.parallel == 1) {
    kernels::dot_rows(taps, weights, config_.output_channels, lanes(), out);
    return;
  }
  const int column = config_.rows * config_.input_channels, part = job.kernel * config_.input_channels;
  for (int p = 0; p < job.parallel; ++p) {
    std::array<std::int16_t, kMaxWindow> own{};
    for (int c = 0; c < config_.cols; ++c)
      std::copy_n(taps + c * column + p * part, part, own.data() + c * column + p * part);
    kernels::dot_rows(own.data(), weights, config_.output_channels, lanes(), out + p * config_.output_channels);
  }
}

// The partner is the next product of the tap row, or the previous one.
int KernelCells::partner_of(int tap) const {
  const int channels = config_.input_channels;
  if (channels == 1 && config_.cols == 1) return 0;
  const int step = channels > 1 ? 1 : config_.rows;
  const bool first = channels > 1 ? tap % channels == 0 : tap < step;
  return first ? step : -step;
}

blocks::ArrayShape RowCells::shape() const {
  const int sums = config_.rows * config_.row_sums();
  return {config_.output_channels, sums, sums};
}

int RowCells::bits() const { return std::min(32, config_.term_bits()); }

// Returns what faulty tables add, [output channel][tap row]; empty: nothing.
std::vector<std::int64_t> RowCells::faults_of_rows(const TableFaults& faults) const {
  if (!faults) return {};
  std::vector<std::int64_t> rows(static_cast<std::size_t>(config_.output_channels * config_.rows));
  faults([&](int output, int tap, std::int64_t more) {
    const int row = tap / config_.input_channels % config_.rows;
    rows[static_cast<std::size_t>(output * config_.rows + row)] += more;
  });
  return rows;
}

template <class Product, class Result>
void RowCells::sum_rows(const Window& window, const std::int16_t* weights, const TableFaults& faults, Terms& out,
                        Product product, Result result) const {
  out.kind = Terms::Kind::row_sums;
  const int channels = config_.input_channels, row_products = config_.cols * channels;
  const std::vector<std::int64_t> more = faults_of_rows(faults);
  std::int32_t* sum = out.sums.data();
  for (int o = 0; o < config_.output_channels; ++o) {
    const std::int16_t* const w = weights + o * lanes();
    for (int row = 0; row < config_.rows; ++row) {
      for (int first = 0; first < row_products; first += products_) {
        std::int64_t partial = more.empty() ? 0 : more[static_cast<std::size_t>(o * config_.rows + row)];
        for (int k = first; k < std::min(first + products_, row_products); ++k) {
          const int at = (k / channels * config_.rows + row) * channels + k % channels;
          partial += product(activation(window, at), w[at]);
        }
        *sum++ = static_cast<std::int32_t>(result(partial));
      }
    }
  }
}

namespace {

std::int64_t exact_product(int x, int w) { return std::int64_t{x} * w; }
std::int64_t as_it_is(std::int64_t sum) { return sum; }

}  // namespace

void ChainCells::multiply(const Window& window, const std::int16_t* weights, const TableFaults& faults,
                          Terms& out) const {
  sum_rows(window, weights, faults, out, exact_product, as_it_is);
}

void WideCells::multiply(const Window& window, const std::int16_t* weights, const TableFaults& faults,
                         Terms& out) const {
  sum_rows(window, weights, faults, out, exact_product, as_it_is);
}

void RoundingCells::multiply(const Window& window, const std::int16_t* weights, const TableFaults& faults,
                             Terms& out) const {
  sum_rows(
      window, weights, faults, out, [this](int x, int w) { return kernel_.kept(x, w); },
      [this](std::int64_t sum) { return kernel_.rounded(sum); });
}

std::unique_ptr<const MacCells> cells_of(const ArrayConfig& config) {
  if (config.chains()) return std::make_unique<ChainCells>(config);
  if (config.rounds()) return std::make_unique<RoundingCells>(config);
  if (config.wide()) return std::make_unique<WideCells>(config);
  if (config.kernels()) return std::make_unique<KernelCells>(config);
  return std::make_unique<ProductCells>(config);
}

}  // namespace fansim::stream
