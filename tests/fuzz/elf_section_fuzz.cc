// Any bytes as a shared library that is asked for the section in which plugins say what they are.
#include "registry/base/error.h"
#include "registry/plugins/elf_section.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const weft::MemoryFile file(weft::as_text(data, size));
  try {
    const auto section = weft::read_elf_section(file.path(), ".weft_plugin");
    if (section) weft::fuzz::check(section->size() <= size, "more than the file holds", "");
  } catch (const weft::Error&) {
  }
  return 0;
}
