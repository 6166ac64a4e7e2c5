// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

// Quantisation components after FAQ-CNN (Xie et al., Journal of Computer Research and Development, 2022, section 3.1).
// A method has a mapping of values (project, inverse) and a rule for multiply-accumulate, coarse or fine.
namespace fansim::arith {

// Coarse: codes become two's complement integers, which an ordinary MAC multiplies. Fine: the method has an operator of
// its own, and its products are summed in a 32-bit float.
enum class Grain { coarse, fine };

const char* grain_name(Grain grain);

// Maps one layer's weights to a method's codes, 0 .. 2^bits - 1.
class WeightCodec {
 public:
  explicit WeightCodec(int bits) : bits_(bits) {}
  virtual ~WeightCodec() = default;

  int bits() const { return bits_; }  // bits of a code, 1..16
  unsigned codes() const { return 1u << bits_; }

  // Returns what the method makes of a trained weight before it projects it.
  virtual float prepare(float weight) const { return weight; }
  // Returns the code whose value is nearest by the method's rule. If several codes share a value, the first one is
  // returned.
  virtual unsigned project(float value) const = 0;
  // Returns the value for which a code stands.
  virtual float inverse(unsigned code) const = 0;

  // keeps_units() says whether inverse(project(prepare(weight))) has the units of the trained weight; otherwise the
  // method leaves a factor to the network around it. offset() returns what prepare() subtracts, so that no code holds
  // it.
  virtual bool keeps_units() const { return true; }
  virtual float offset() const { return 0; }

  // Coarse: inverse(code) = integer(code) * step(), where integers fit 16 bits. Both are 0 if the method is fine only.
  virtual int integer(unsigned code) const = 0;
  virtual float step() const = 0;

  // Fine: operand() returns the factor that the operator applies to an activation. product() returns what the operator
  // computes with its own parts (select, shift, table...): product(code, activation) = operand(code) *
  // float(activation).
  virtual float operand(unsigned code) const { return static_cast<float>(integer(code)); }
  virtual float product(unsigned code, int activation) const = 0;

 private:
  int bits_;
};

struct BitRange {
  int lo = 1, hi = 16;
};

// A quantisation method. Each has a file of its own.
class QuantisationMethod {
 public:
  virtual ~QuantisationMethod() = default;

  virtual const char* name() const = 0;
  virtual const char* meaning() const = 0;  // one line, with its source
  virtual BitRange weight_bits() const = 0;
  virtual BitRange activation_bits() const { return {}; }
  virtual bool supports(Grain) const { return true; }
  // Returns whether levels are evenly spaced, so that int8 weights are codes of 8 bits as they are.
  virtual bool linear() const { return false; }
  // Returns a bound of the integers that weights of so many bits become, which no weight can pass downwards.
  virtual int lowest_integer(int weight_bits) const { return -(1 << (linear() ? weight_bits : 15)); }
  // Fits a codec to the weights, of which there is at least one.
  virtual std::unique_ptr<WeightCodec> fit(const std::vector<float>& weights, int bits) const = 0;

  // Returns the codec of weights that are codes already. Their width gives what codes stand for in steps. A method with
  // a codebook has a float for each code. With `linear` codes, a single float gives the step.
  virtual bool has_codebook() const { return false; }
  virtual std::unique_ptr<WeightCodec> restore(int bits, const std::vector<float>& /*codebook*/) const {
    return fit({1}, bits);
  }

  // Returns the LUT6s of one multiply-accumulate. luts_stated() says whether that figure is published; otherwise it is
  // counted from the operator.
  virtual double luts_per_mac(int weight_bits, int activation_bits, Grain grain) const = 0;
  virtual bool luts_stated(int, int, Grain) const { return false; }
};

// Returns why the method cannot be used with these settings; empty if it can.
std::string refusal(const QuantisationMethod& method, int weight_bits, int activation_bits, Grain grain);

// Holds all methods by name: the built-in ones and those that others add.
class QuantisationMethods {
 public:
  QuantisationMethods();

  // Adds a method. It replaces a method of the same name.
  void add(std::unique_ptr<QuantisationMethod> method);

  const QuantisationMethod* find(std::string_view name) const;  // nullptr if there is none
  std::vector<std::string> names() const;                       // in the order in which they were added
  // Returns a text like "quantisation 'dorfa' unknown; did you mean 'dorefa'?".
  std::string unknown(std::string_view name) const;

 private:
  std::vector<std::unique_ptr<QuantisationMethod>> methods_;
};

}  // namespace fansim::arith
