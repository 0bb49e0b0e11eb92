#include "registry/plugins/elf_section.h"

#include <cstring>
#include <fstream>

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "registry/base/error.h"

namespace weft {
namespace {

// A shared library of nothing but sections: as many without content as are asked for, then one
// called ".weft_plugin" that holds "acme".
std::string library(std::size_t sections, std::string names) {
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = ET_DYN;
#if defined(__x86_64__)
  header.e_machine = EM_X86_64;
#else
  header.e_machine = EM_AARCH64;
#endif
  header.e_shoff = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<Elf64_Half>(sections + 1);
  std::vector<Elf64_Shdr> table(sections + 1);
  const std::size_t content = sizeof header + table.size() * sizeof(Elf64_Shdr);
  const std::size_t own_name = names.size();
  names += std::string(".weft_plugin") + '\0';
  table[0].sh_offset = content;
  table[0].sh_size = names.size();
  table.back().sh_name = static_cast<Elf64_Word>(own_name);
  table.back().sh_offset = content + names.size();
  table.back().sh_size = 4;
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) +
         std::string(reinterpret_cast<const char*>(table.data()),
                     table.size() * sizeof(Elf64_Shdr)) +
         names + "acme";
}

std::filesystem::path written(const std::string& bytes) {
  const std::filesystem::path file =
      testing::TempDir() + "elf_section_test" + std::to_string(::getpid()) + ".so";
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

TEST(ElfSection, FindsASectionByItsWholeName) {
  const auto file = written(library(3, std::string(".weft\0", 6)));
  EXPECT_EQ(read_elf_section(file, ".weft_plugin"), "acme");
  EXPECT_FALSE(read_elf_section(file, ".weft_plug"));
  EXPECT_FALSE(read_elf_section(file, "plugin"));
}

// 65,000 sections whose names are a megabyte each, as none of them ends: 65 GB to look at.
TEST(ElfSection, NamesWithoutAnEndTakeNoTime) {
  const auto file = written(library(65'000, std::string(1'000'000, 'x')));
  EXPECT_EQ(read_elf_section(file, ".weft_plugin"), "acme");
}

TEST(ElfSection, MoreNamesThanALibraryHasAreDamage) {
  const auto file = written(library(3, std::string(2'000'000, 'x')));
  EXPECT_THROW(read_elf_section(file, ".weft_plugin"), Error);
}

}  // namespace
}  // namespace weft
