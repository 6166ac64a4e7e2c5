// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::base {

// Says what a parameter acts on. It is declared beside the parameter, and is all that a search may conclude from a
// range of its values.
struct Effect {
  enum class Resources {
    shape,  // resources change with it in no simple way
    grow,   // a larger value takes at least as many of each resource and at most as many cycles
    place,  // it moves work from one kind of resource to another
    none,
  };
  Resources resources = Resources::shape;
  bool time = true;            // false: no cycle depends on it
  bool format = false;         // it changes the numbers that a network is made of
  bool by_file = false;        // only reading a file can set it, because other entries of the file depend on it
  const char* part = nullptr;  // the only part of the machine that it acts on
};

// A key of a block that several accelerators share. Nothing that one of them reports depends on it.
struct InertKey {
  const char* key;  // "block.field"
  const char* why;
};

struct Doc {
  Doc(const char* t) : text(t) {}  // NOLINT(google-explicit-constructor): a plain text is a doc
  Doc(const char* t, const Effect& e, const char* v = nullptr) : text(t), effect(e), values(v) {}

  const char* text;
  Effect effect;
  const char* values = nullptr;  // of a number that takes these alone, "1 | 2 | 4"; whoever checks it refuses others
};

// Declares that only cycles depend on the parameter.
inline Effect times() { return {Effect::Resources::none}; }
// Declares that nothing that is reported depends on the parameter.
inline Effect inert() { return {Effect::Resources::none, false}; }
inline Effect grows(const char* part = nullptr) { return {Effect::Resources::grow, true, false, false, part}; }

}  // namespace fansim::base
