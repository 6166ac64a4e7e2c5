// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/module.h"

namespace fansim::sim {

// A register between blocks: what is set at edge n is read from edge n + 1 on, in whatever order the blocks step.
template <class T>
class Reg : public RegBase {
 public:
  Reg(Module& owner, const char* name, T initial = T{}) : RegBase(owner, name), now_(initial), before_(initial) {}

  const T& get() const { return edge_ == owner_.now() ? before_ : now_; }
  void set(const T& value) {
    if (edge_ != owner_.now()) {
      before_ = now_;
      edge_ = owner_.now();
    }
    now_ = value;
    wake_readers();
  }
  // Returns what the owner has set so far, also at this edge.
  const T& next() const { return now_; }

  void trace(Tracer& tracer) override { tracer.wire(full_name(), wire_, 64); }
  void sample() override { wire_ = static_cast<std::uint64_t>(now_); }

 protected:
  std::uint64_t wire_ = 0;

 private:
  T now_;
  T before_;
  Edge edge_ = -1;
};

// A register whose values a waveform shows as words.
template <class T>
class WordReg final : public Reg<T> {
 public:
  WordReg(Module& owner, const char* name, std::vector<std::string> words)
      : Reg<T>(owner, name), words_(std::move(words)) {}

  void trace(Tracer& tracer) override { tracer.word(this->full_name(), this->wire_, words_); }

 private:
  const std::vector<std::string> words_;
};

// No register, but the state of a block, shown in words by waveforms only.
class Word final : public RegBase {
 public:
  Word(Module& owner, const char* name, std::vector<std::string> words, std::function<std::size_t()> at)
      : RegBase(owner, name), words_(std::move(words)), at_(std::move(at)) {}
  // Shows the state that a member holds.
  template <class State, class = std::enable_if_t<std::is_enum_v<State>>>
  Word(Module& owner, const char* name, std::vector<std::string> words, const State& state)
      : Word(owner, name, std::move(words), [&state] { return static_cast<std::size_t>(state); }) {}

  void trace(Tracer& tracer) override { tracer.word(full_name(), code_, words_); }
  void sample() override { code_ = at_(); }

 private:
  const std::vector<std::string> words_;
  const std::function<std::size_t()> at_;
  std::uint64_t code_ = 0;
};

}  // namespace fansim::sim
