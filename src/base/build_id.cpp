// SPDX-License-Identifier: Apache-2.0
#include "base/build_id.h"

#include <elf.h>
#include <link.h>

#include <cstring>

#include "base/file.h"
#include "base/hash.h"

namespace fansim::base {
namespace {

std::string hexadecimal(const unsigned char* bytes, std::size_t size) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) (text += kDigits[bytes[i] >> 4]) += kDigits[bytes[i] & 15];
  return text;
}

constexpr std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

// Returns the build id that the notes hold, or an empty text if they hold none.
std::string id_in(const unsigned char* notes, std::size_t size) {
  ElfW(Nhdr) note{};
  while (size >= sizeof note) {
    std::memcpy(&note, notes, sizeof note);
    const std::size_t name = sizeof note, content = name + padded(note.n_namesz), end = content + padded(note.n_descsz);
    if (end > size) return "";
    const bool gnu =
        note.n_namesz == sizeof ELF_NOTE_GNU && std::memcmp(notes + name, ELF_NOTE_GNU, note.n_namesz) == 0;
    if (gnu && note.n_type == NT_GNU_BUILD_ID) return hexadecimal(notes + content, note.n_descsz);
    notes += end;
    size -= end;
  }
  return "";
}

// Looks at the program alone: it is the first of what is loaded.
int look(dl_phdr_info* loaded, std::size_t /*size*/, void* found) {
  for (int i = 0; i < loaded->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = loaded->dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    const std::string id =
        id_in(reinterpret_cast<const unsigned char*>(loaded->dlpi_addr + part.p_vaddr), part.p_memsz);
    if (!id.empty()) *static_cast<std::string*>(found) = id;
  }
  return 1;
}

std::string find_id() {
  std::string id;
  ::dl_iterate_phdr(look, &id);
  return id.empty() ? Fnv1a().add(read_file("/proc/self/exe")).text() : id;
}

}  // namespace

const std::string& build_id() {
  static const std::string kId = find_id();
  return kId;
}

}  // namespace fansim::base
