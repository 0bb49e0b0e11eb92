#include "registry/elf_section.h"

#include <cstring>

#include <elf.h>
#include <fmt/format.h>

#include "registry/error.h"
#include "registry/input_file.h"

namespace weft {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 10;
constexpr std::uint64_t kMostLibrary = std::uint64_t{4} << 30;
constexpr std::uint64_t kMostNames = std::uint64_t{64} << 20;  // the names of all sections
#if defined(__x86_64__)
constexpr Elf64_Half kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half kMachine = EM_AARCH64;
#else
#error "name the ELF machine of this processor here"
#endif

std::string machine_name(Elf64_Half machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_386:
      return "32-bit x86";
    case EM_AARCH64:
      return "AArch64";
    case EM_ARM:
      return "32-bit ARM";
    case EM_PPC64:
      return "PowerPC";
    case EM_RISCV:
      return "RISC-V";
    default:
      return fmt::format("machine {}", machine);
  }
}

class ElfFile {
 public:
  explicit ElfFile(const std::filesystem::path& file) : file_(file), input_(opened()) {
    size_ = input_.size();
    if (size_ > kMostLibrary) fail(fmt::format("it holds more than {} bytes", kMostLibrary));
    if (size_ < EI_NIDENT) fail("it is not a shared library");
    check_header();
  }

  std::optional<std::string> section(std::string_view wanted) {
    if (header_.e_shnum == 0) return std::nullopt;
    if (header_.e_shentsize != sizeof(Elf64_Shdr) || header_.e_shstrndx >= header_.e_shnum)
      damaged();
    const auto headers = read<Elf64_Shdr>(header_.e_shoff, header_.e_shnum);
    const Elf64_Shdr& names = headers[header_.e_shstrndx];
    const std::string text = bytes(names.sh_offset, names.sh_size, kMostNames);
    for (const Elf64_Shdr& section : headers) {
      if (section.sh_name >= text.size()) damaged();
      if (std::string_view(text.c_str() + section.sh_name) != wanted) continue;
      if (section.sh_type == SHT_NOBITS) damaged();
      return bytes(section.sh_offset, section.sh_size, kMostBytes);
    }
    return std::nullopt;
  }

 private:
  InputFile opened() {
    std::error_code failed;
    if (!std::filesystem::exists(file_, failed)) fail("there is no such file");
    if (!std::filesystem::is_regular_file(file_, failed)) fail("it is not a file");
    return InputFile(file_, Accepts::regular_files, ErrorKind::plugin);
  }

  void check_header() {
    const std::string ident = bytes(0, EI_NIDENT, EI_NIDENT);
    if (std::memcmp(ident.data(), ELFMAG, SELFMAG) != 0) fail("it is not a shared library");
    if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB) {
      fail("it was built for another processor architecture (not 64-bit little-endian)");
    }
    header_ = read<Elf64_Ehdr>(0, 1).front();
    if (header_.e_machine != kMachine) {
      fail(fmt::format("it was built for {}, this is {}", machine_name(header_.e_machine),
                       machine_name(kMachine)));
    }
    if (header_.e_type != ET_DYN) fail("it is not a shared library");
  }

  std::string bytes(std::uint64_t offset, std::uint64_t count, std::uint64_t most) {
    if (count > most || offset > size_ || count > size_ - offset) damaged();
    std::string result(count, '\0');
    for (std::size_t at = 0; at < result.size();) {
      const std::size_t got = input_.read_at(result.data() + at, result.size() - at, offset + at);
      if (got == 0) damaged();
      at += got;
    }
    return result;
  }

  template <class T>
  std::vector<T> read(std::uint64_t offset, std::uint64_t count) {
    const std::string raw = bytes(offset, count * sizeof(T), size_);
    std::vector<T> result(count);
    std::memcpy(result.data(), raw.data(), raw.size());
    return result;
  }

  [[noreturn]] void damaged() { fail("the file is damaged"); }
  [[noreturn]] void fail(const std::string& why) {
    throw Error(ErrorKind::plugin,
                fmt::format("the plugin {} cannot be used: {}", file_.string(), why));
  }

  std::filesystem::path file_;
  InputFile input_;
  std::uint64_t size_ = 0;
  Elf64_Ehdr header_{};
};

}  // namespace

std::optional<std::string> read_elf_section(const std::filesystem::path& file,
                                            std::string_view section) {
  return ElfFile(file).section(section);
}

}  // namespace weft
