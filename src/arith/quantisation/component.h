// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

// Quantisation components after FAQ-CNN (Xie et al., Journal of Computer Research and Development, 2022, section 3.1):
// a value mapping (project, inverse) and a rule for multiply-accumulate, coarse or fine.
namespace fansim::arith {

// coarse: codes become two's complement integers, then an ordinary MAC; fine: the method's own operator, summed in a
// 32-bit float.
enum class Grain { coarse, fine };

const char* grain_name(Grain grain);

// One layer's weights in a method's codes, 0 .. 2^bits - 1.
class WeightCodec {
 public:
  explicit WeightCodec(int bits) : bits_(bits) {}
  virtual ~WeightCodec() = default;

  int bits() const { return bits_; }  // of a code, 1..16
  unsigned codes() const { return 1u << bits_; }

  // What the method does to a trained weight before it projects it.
  virtual float prepare(float weight) const { return weight; }
  // The code whose value is nearest by the method's rule; of codes that share a value, the first.
  virtual unsigned project(float value) const = 0;
  // The value a code stands for.
  virtual float inverse(unsigned code) const = 0;

  // Of a trained weight: whether inverse(project(prepare(weight))) is in its units, else the method leaves a factor to
  // the network around it; and what prepare takes off, so that no code holds it.
  virtual bool keeps_units() const { return true; }
  virtual float offset() const { return 0; }

  // Coarse: inverse(code) = integer(code) * step(), integers that fit 16 bits. 0 of a method that is fine only.
  virtual int integer(unsigned code) const = 0;
  virtual float step() const = 0;

  // Fine: the factor the operator applies to an activation, and what the operator computes with its own parts (select,
  // shift, table...): product(code, activation) = operand(code) * float(activation).
  virtual float operand(unsigned code) const { return static_cast<float>(integer(code)); }
  virtual float product(unsigned code, int activation) const = 0;

 private:
  int bits_;
};

struct BitRange {
  int lo = 1, hi = 16;
};

// One per method, in one file each.
class QuantisationMethod {
 public:
  virtual ~QuantisationMethod() = default;

  virtual const char* name() const = 0;
  virtual const char* meaning() const = 0;  // one line, with its source
  virtual BitRange weight_bits() const = 0;
  virtual BitRange activation_bits() const { return {}; }
  virtual bool supports(Grain) const { return true; }
  // Evenly spaced levels: int8 weights are codes of 8 bits as they are.
  virtual bool linear() const { return false; }
  // The codec of weights given; there is at least one.
  virtual std::unique_ptr<WeightCodec> fit(const std::vector<float>& weights, int bits) const = 0;

  // The codec of weights that are codes already: their width says what codes stand for, in steps, or a float for each
  // code where the method has a codebook; of `linear` codes one float may be the step.
  virtual bool has_codebook() const { return false; }
  virtual std::unique_ptr<WeightCodec> restore(int bits, const std::vector<float>& /*codebook*/) const {
    return fit({1}, bits);
  }

  // LUT6s of one multiply-accumulate; luts_stated() tells a published figure from one counted from the operator.
  virtual double luts_per_mac(int weight_bits, int activation_bits, Grain grain) const = 0;
  virtual bool luts_stated(int, int, Grain) const { return false; }
};

// Why the method cannot be used so; empty if it can.
std::string refusal(const QuantisationMethod& method, int weight_bits, int activation_bits, Grain grain);

// All methods by name: the built-in ones, and what others add.
class QuantisationMethods {
 public:
  QuantisationMethods();

  // A method of the same name is replaced.
  void add(std::unique_ptr<QuantisationMethod> method);

  const QuantisationMethod* find(std::string_view name) const;  // nullptr if there is none
  std::vector<std::string> names() const;                       // in the order they were added
  // "quantisation 'dorfa' unknown; did you mean 'dorefa'?"
  std::string unknown(std::string_view name) const;

 private:
  std::vector<std::unique_ptr<QuantisationMethod>> methods_;
};

}  // namespace fansim::arith
