// SPDX-License-Identifier: Apache-2.0
#include "runs/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "accelerators/registry.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/npy.h"
#include "base/output_files.h"
#include "base/workers.h"
#include "network/codes/quantise.h"
#include "network/float/float_network.h"
#include "network/float/in_single.h"
#include "runs/layer_output.h"
#include "runs/load.h"
#include "runs/observer.h"
#include "timing/engine_options.h"

namespace fansim::runs {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kFive = 5;

// Returns the indices of the five largest elements, the largest first. Among equal elements the first one comes first.
std::vector<int> ranked(const network::Tensor& output) {
  const bool floats = output.format.type == base::DataType::float32;
  std::vector<double> values;  // exact for either type
  for (std::size_t i = 0; i < output.size(); ++i)
    values.push_back(floats ? static_cast<double>(output.real(i)) : output.at(i));
  std::vector<int> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  const auto larger = [&](int a, int b) {
    return values[static_cast<std::size_t>(a)] != values[static_cast<std::size_t>(b)]
               ? values[static_cast<std::size_t>(a)] > values[static_cast<std::size_t>(b)]
               : a < b;
  };
  const auto most = std::min(order.size(), kFive);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(), larger);
  order.resize(most);
  return order;
}

// Collects the outputs of layers over all inputs, one input after another.
class Dump {
 public:
  Dump(const std::string& folder, const network::Network& network, const std::vector<contract::LayerPlan>& plans,
       std::int64_t count)
      : folder_(folder), network_(network), count_(count) {
    if (folder.empty()) return;
    std::vector<std::string> names;
    std::int64_t all = 0;
    for (const contract::LayerPlan& plan : plans) {
      if (!plan.output) continue;
      const network::Layer& layer = at(plan.layer);
      names.push_back(layer.name + ".npy");
      layers_.push_back(plan.layer);
      all += layer.out.elements() * static_cast<std::int64_t>(layer.out_format.value_bytes()) * count;
      if (all > kMostBytes)
        throw base::UserError(fmt::format(
            "run: --dump: the outputs of {} inputs are more than {} GiB; dump fewer inputs", count, kMostBytes >> 30));
    }
    base::prepare_folder(folder, names);
    for (const int layer : layers_)
      bytes_.emplace_back(static_cast<std::size_t>(at(layer).out.elements() * count) *
                          at(layer).out_format.value_bytes());
  }

  bool wanted() const { return !folder_.empty(); }
  // Several threads may call this, each with inputs of its own.
  void put(int layer, std::int64_t input, const network::Tensor& output) {
    const auto found = std::find(layers_.begin(), layers_.end(), layer);
    if (found == layers_.end()) return;
    std::vector<std::uint8_t>& to = bytes_[static_cast<std::size_t>(found - layers_.begin())];
    std::copy(output.bytes.begin(), output.bytes.end(),
              to.begin() + input * static_cast<std::ptrdiff_t>(output.bytes.size()));
  }
  void write() const {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const network::Layer& layer = at(layers_[i]);
      base::NpyShape shape = layer.out.dims();
      shape.insert(shape.begin(), count_);
      base::write_npy(folder_ + "/" + layer.name + ".npy", shape, layer.out_format.type, bytes_[i]);
    }
  }

 private:
  static constexpr std::int64_t kMostBytes = std::int64_t{4} << 30;  // limit, because they are held until all are
                                                                     // complete

  const network::Layer& at(int index) const { return network_.layers[static_cast<std::size_t>(index)]; }

  const std::string folder_;
  const network::Network& network_;
  const std::int64_t count_;
  std::vector<int> layers_;
  std::vector<std::vector<std::uint8_t>> bytes_;
};

class BatchRunner {
 public:
  explicit BatchRunner(const BatchRequest& request) : request_(request), one_(request.request) {}

  Batch run() {
    auto accelerator = accelerators::read_faultless("run: --inputs", one_.config, one_.overrides);
    network_ = load_given(one_, *accelerator);
    given_ = {network_.input.shape, network_.input.format, {}};
    given_step_ = network_.input_step;
    floats_ = given_step_ > 0 && base::holds_floats(request_.inputs);
    inputs_ = base::read_npy_tensors(request_.inputs, floats_ ? base::DataType::float32 : given_.format.type,
                                     given_.shape.dims());
    if (!request_.labels.empty()) read_labels();
    take_part();
    if (request_.floats) read_floats();
    accelerator->prepare(network_, load_options(one_));
    network_.input = input(0);
    Request first = one_;
    first.dump_folder.clear();
    first.on_progress = nullptr;
    if (inputs_.count > 1 && one_.engine == Engine::fast) first.kept = kept_ = accelerator->kept_values();
    // The memory of the other inputs is what the first run leaves. It is the memory from before that run instead if
    // runs share what they do not write, or if the clocked engine ran, which does not return its memory.
    const bool after = one_.engine == Engine::fast && !kept_;
    first.on_program = [&](const contract::Program& program, const accelerators::Accelerator& machine) {
      program_ = {program.ops, {}, program.given_bytes, program.layers, program.fill_input};
      if (!after) program_.memory = program.memory;
      return one_.on_program ? one_.on_program(program, machine) : nullptr;
    };
    if (after) first.memory_after = &program_.memory;
    // The other inputs can begin before the first run ends, as soon as nothing reads the network's input any more.
    if (kept_)
      first.on_progress = [this](double) {
        if (!work_) begin();
      };
    accelerator_ = accelerators::read_faultless("run: --inputs", one_.config, one_.overrides);
    batch_.run = run_loaded(first, std::move(accelerator), network_);
    if (!batch_.run.unschedulable) compute();
    return std::move(batch_);
  }

 private:
  void read_labels() {
    labels_ = base::read_npy_integers(request_.labels);
    const auto fail = [this](const std::string& what) {
      throw base::UserError(base::Location{request_.labels, 0, 0}, what);
    };
    if (static_cast<std::int64_t>(labels_.size()) != inputs_.count)
      fail(fmt::format("{} labels for {} inputs", labels_.size(), inputs_.count));
    const std::int64_t classes = network_.layers.back().out.elements();
    for (std::size_t i = 0; i < labels_.size(); ++i)
      if (labels_[i] < 0 || labels_[i] >= classes)
        fail(fmt::format("label {} of input {}, but the output has {} elements: 0..{}", labels_[i], i, classes,
                         classes - 1));
  }

  // Takes the requested part of inputs and labels.
  void take_part() {
    const auto count = static_cast<std::size_t>(inputs_.count);
    const auto begin = static_cast<std::ptrdiff_t>(request_.part.begin(count));
    const auto end = static_cast<std::ptrdiff_t>(request_.part.end(count));
    if (begin == end) throw base::UserError(fmt::format("run: --shard: of {} inputs that part has none", count));
    const auto bytes = static_cast<std::ptrdiff_t>(inputs_.bytes.size() / count);
    inputs_.bytes = {inputs_.bytes.begin() + begin * bytes, inputs_.bytes.begin() + end * bytes};
    if (!labels_.empty()) labels_ = {labels_.begin() + begin, labels_.begin() + end};
    batch_.begin = begin;
    batch_.count = inputs_.count = end - begin;
  }

  void read_floats() {
    const auto fail = [this](const char* what) {
      throw base::UserError(base::Location{one_.network, 0, 0}, fmt::format("run: --floats: {}", what));
    };
    if (!network_.coding || network_.coding->floats.empty())
      fail("the network does not say which floats it was made of");
    if (!floats_) fail("--inputs are of integers");
    float_network_ = network::load_float_network(network_.coding->floats);
    if (float_network_->network.input.shape != given_.shape) fail("the floats it was made of have another input");
  }

  // Returns the index of the input's largest output in floats.
  int float_read(std::int64_t input) const {
    network::Tensor values{given_.shape, network::NumberFormat::of(base::DataType::float32), {}};
    const std::size_t bytes = inputs_.bytes.size() / static_cast<std::size_t>(inputs_.count);
    const auto from = inputs_.bytes.begin() + input * static_cast<std::ptrdiff_t>(bytes);
    values.bytes.assign(from, from + static_cast<std::ptrdiff_t>(bytes));
    const network::Tensor last = network::run_float(*float_network_, values).back();
    int largest = 0;
    for (std::size_t i = 1; i < last.size(); ++i)
      if (last.real(i) > last.real(static_cast<std::size_t>(largest))) largest = static_cast<int>(i);
    return largest;
  }

  // Returns an input of the batch as the prepared network takes it. Preparation draws the same for all inputs, because
  // what fits a drawn input fits them all.
  network::Tensor input(std::int64_t index) const {
    const std::size_t bytes = inputs_.bytes.size() / static_cast<std::size_t>(inputs_.count);
    const auto from = inputs_.bytes.begin() + index * static_cast<std::ptrdiff_t>(bytes);
    const auto to = from + static_cast<std::ptrdiff_t>(bytes);
    const network::NumberFormat& format = network_.input.format;
    network::Tensor given{given_.shape, given_.format, {from, to}};
    if (floats_) {
      if (format.type == base::DataType::float32) return {given_.shape, format, {from, to}};
      std::vector<float> values(bytes / sizeof(float));
      std::copy(from, to, reinterpret_cast<std::uint8_t*>(values.data()));
      network::give_codes(given, values, given_step_);
    }
    return format.type == base::DataType::float32 ? network::in_single(given, given_step_)
                                                  : network::in_format(given, format);
  }

  // Begins to compute the inputs. The first one is left out unless outputs are dumped, because its run has its last
  // output already.
  void begin() {
    begun_ = Clock::now();
    dump_.emplace(one_.dump_folder, network_, program_.layers, inputs_.count);
    ranked_.resize(static_cast<std::size_t>(inputs_.count));
    differences_.resize(ranked_.size());
    float_read_.resize(ranked_.size());
    from_ = dump_->wanted() || inputs_.count == 1 ? 0 : 1;
    const std::int64_t left = inputs_.count - from_;
    const auto threads = static_cast<int>(std::min<std::int64_t>(request_.jobs, left)) - 1;
    work_.emplace(threads, static_cast<std::size_t>(left), [this, left](std::size_t i) {
      base::stop_if_interrupted();
      contract::MemoryImage memory = free_memory();
      compute_one(memory, from_ + static_cast<std::int64_t>(i));
      const std::lock_guard<std::mutex> lock(mutex_);
      memories_.push_back(std::move(memory));
      if (one_.on_progress) one_.on_progress(static_cast<double>(++done_) / static_cast<double>(left));
    });
  }

  // Returns a memory for one input; each input that is being computed has its own.
  contract::MemoryImage free_memory() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (memories_.empty()) return program_.memory;
    contract::MemoryImage memory = std::move(memories_.back());
    memories_.pop_back();
    return memory;
  }

  void compute() {
    if (!kept_)
      for (contract::LayerPlan& layer : program_.layers) layer.parameters = nullptr;  // the memory holds them already
    if (!work_) begin();
    work_->finish();
    if (from_ > 0) finish_one(0, batch_.run.output);
    const std::int64_t left = inputs_.count - from_;
    batch_.seconds = std::chrono::duration<double>(Clock::now() - begun_).count() * static_cast<double>(inputs_.count) /
                     static_cast<double>(left);
    dump_->write();
    account();
  }

  // Writes the input to the memory. The program takes it from network_.
  void fill(contract::MemoryImage& memory, const network::Tensor& input) {
    if (!program_.fill_input) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    network_.input.bytes = input.bytes;  // other threads read its format
    program_.fill_input(memory.data());
  }

  // `memory` is the program's, as the last input computed in it left it.
  void compute_one(contract::MemoryImage& memory, std::int64_t index) {
    network::Tensor input = this->input(index);
    fill(memory, input);
    contract::Program program = program_;
    program.memory = std::exchange(memory, {});
    ReferenceChain reference(network_, std::move(input), accelerator_->quantiser(),
                             accelerators::kernel_sums(*accelerator_, network_));
    Observer observer(network_, program_.layers, reference, one_.verify && index > 0,
                      "");  // the first is compared already
    observer.hashes = false;
    if (dump_->wanted())
      observer.on_output = [&](int layer, const network::Tensor& output) { dump_->put(layer, index, output); };
    timing::EngineOptions options;
    options.timing = false;
    options.memory_after = &memory;
    options.replay = one_.replay;
    options.kept = kept_;
    options.stop_requested = base::interrupted;
    options.on_layer = [&](const contract::LayerPlan& plan, const std::uint8_t* ddr, contract::LayerResult& result) {
      observer.layer_done(plan, ddr);
      const auto seen = observer.saturated(plan, accelerator_->sum_bits(), result);
      if (index > 0 && seen) add(plan.layer, *seen);
    };
    accelerator_->run(std::move(program), options);
    base::stop_if_interrupted();
    finish_one(index, observer.last_output);
    differences_[static_cast<std::size_t>(index)] = std::move(observer.differences);
  }

  // Adds what saturated in a layer with an input other than the first, which has a run of its own.
  void add(int layer, const arith::Saturation& seen) {
    const std::lock_guard<std::mutex> lock(mutex_);
    saturation_[layer] += seen;
  }

  void finish_one(std::int64_t index, const network::Tensor& output) {
    const auto i = static_cast<std::size_t>(index);
    ranked_[i] = ranked(output);
    if (float_network_) float_read_[i] = float_read(index);
  }

  void account() {
    for (contract::LayerResult& layer : batch_.run.layers) {
      if (!layer.saturation) continue;
      const std::int64_t values = layer.saturation->values * batch_.count;
      *layer.saturation += saturation_[layer.layer];
      layer.saturation->values = values;
    }
    for (std::size_t i = 0; i < ranked_.size(); ++i) {
      batch_.read.push_back(ranked_[i].front());
      for (const std::string& difference : differences_[i])
        batch_.differences.push_back(
            fmt::format("input {}: {}", batch_.begin + static_cast<std::int64_t>(i), difference));
    }
    if (float_network_) {
      FloatAgreement agreement;
      for (std::size_t i = 0; i < ranked_.size(); ++i) {
        agreement.same += float_read_[i] == ranked_[i].front();
        agreement.right += !labels_.empty() && float_read_[i] == labels_[i];
      }
      batch_.floats = agreement;
    }
    if (labels_.empty()) return;
    Accuracy accuracy;
    const auto classes = static_cast<std::size_t>(network_.layers.back().out.elements());
    const bool few = classes <= Accuracy::kMostConfused;
    if (few) accuracy.confusion.assign(classes, std::vector<std::int64_t>(classes, 0));
    for (std::size_t i = 0; i < ranked_.size(); ++i) {
      accuracy.first += ranked_[i].front() == labels_[i];
      accuracy.first_five += std::count(ranked_[i].begin(), ranked_[i].end(), labels_[i]);
      if (few) ++accuracy.confusion[static_cast<std::size_t>(labels_[i])][static_cast<std::size_t>(ranked_[i].front())];
    }
    batch_.accuracy = std::move(accuracy);
  }

  const BatchRequest& request_;
  const Request& one_;
  std::unique_ptr<accelerators::Accelerator> accelerator_;  // for all but the first run, which has its own
  network::Network network_;                                // in the accelerator's number format
  network::Tensor given_;                                   // the input as the network was loaded: shape and format
  double given_step_ = 0;                                   // what the codes of given_ count
  contract::Program program_;                               // program of network_
  std::shared_ptr<contract::KeptValues> kept_;
  base::NpyTensors inputs_;
  bool floats_ = false;  // inputs_ are floats that the network's codes stand for
  std::vector<std::int64_t> labels_;
  std::optional<network::FloatNetwork> float_network_;
  std::vector<int> float_read_;
  std::vector<std::vector<int>> ranked_;
  std::vector<std::vector<std::string>> differences_;
  std::map<int, arith::Saturation> saturation_;  // by layer, of all inputs but the first
  std::mutex mutex_;                             // guards the progress, the network's input and the memories
  std::vector<contract::MemoryImage> memories_;  // free memories, left by inputs that are done
  std::int64_t done_ = 0;
  Batch batch_;
  Clock::time_point begun_;
  std::optional<Dump> dump_;
  std::int64_t from_ = 0;                // index of the first input that is computed
  std::optional<base::WorkAhead> work_;  // declared last, so that its threads end before what they use
};

}  // namespace

Batch run_batch(const BatchRequest& request) { return BatchRunner(request).run(); }

}  // namespace fansim::runs
