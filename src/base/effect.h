// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::base {

// What a parameter acts on, declared beside it: all that a search may conclude from a range of its values.
struct Effect {
  enum class Resources {
    shape,  // they change with it in no simple way
    grow,   // more of it takes as many of each or more, and as few cycles or fewer
    place,  // it moves work from one kind of resource to another
    none,
  };
  Resources resources = Resources::shape;
  bool time = true;            // false: no cycle depends on it
  bool format = false;         // it changes the numbers that a network is made of
  bool by_file = false;        // what else a file may say depends on it: only reading one sets it
  const char* part = nullptr;  // the only part of the machine that it acts on
};

// A key of a block that several accelerators share, on which nothing that one of them reports depends.
struct InertKey {
  const char* key;  // "block.field"
  const char* why;
};

struct Doc {
  Doc(const char* t) : text(t) {}  // NOLINT(google-explicit-constructor): a plain text is a doc
  Doc(const char* t, const Effect& e) : text(t), effect(e) {}

  const char* text;
  Effect effect;
};

// Cycles alone depend on it.
inline Effect times() { return {Effect::Resources::none}; }
// Nothing that is reported depends on it.
inline Effect inert() { return {Effect::Resources::none, false}; }
inline Effect grows(const char* part = nullptr) { return {Effect::Resources::grow, true, false, false, part}; }

}  // namespace fansim::base
