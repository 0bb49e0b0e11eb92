#include "registry/plugins/elf_section.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <elf.h>
#include <fmt/format.h>

#include "registry/base/error.h"
#include "registry/base/input_file.h"

namespace weft {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 10;
constexpr std::uint64_t kMostLibrary = std::uint64_t{4} << 30;
constexpr std::uint64_t kMostNames = std::uint64_t{1} << 20;  // the names of all sections
constexpr std::uint64_t kLongestName = 4096;                  // of a library, PATH_MAX
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

  // Names of sections lie in a section of their own, as texts that end in a zero byte; a header
  // gives the place of its name in there. The name is compared with its zero, so that no longer one
  // fits.
  std::optional<std::string> section(std::string_view wanted) {
    if (header_.e_shnum == 0) return std::nullopt;
    if (header_.e_shentsize != sizeof(Elf64_Shdr) || header_.e_shstrndx >= header_.e_shnum)
      damaged();
    const auto headers = read<Elf64_Shdr>(header_.e_shoff, header_.e_shnum);
    const Elf64_Shdr& names = headers[header_.e_shstrndx];
    const std::string text = bytes(names.sh_offset, names.sh_size, kMostNames);
    const std::string whole_name = std::string(wanted) + '\0';  // no longer than it is compared
    for (const Elf64_Shdr& section : headers) {
      if (section.sh_name >= text.size()) damaged();
      if (text.compare(section.sh_name, whole_name.size(), whole_name) != 0) continue;
      if (section.sh_type == SHT_NOBITS) damaged();
      return bytes(section.sh_offset, section.sh_size, kMostBytes);
    }
    return std::nullopt;
  }

  // The entries give names as places in a table of strings, whose address is that in memory; the
  // loadable segments say where in the file it lies.
  std::vector<std::string> needed() {
    if (header_.e_phnum == 0) return {};
    if (header_.e_phentsize != sizeof(Elf64_Phdr)) damaged();
    segments_ = read<Elf64_Phdr>(header_.e_phoff, header_.e_phnum);
    const std::vector<Elf64_Dyn> entries = dynamic_entries();
    const std::uint64_t size = value_of(entries, DT_STRSZ);
    std::vector<std::string> names;
    for (const Elf64_Dyn& entry : entries) {
      if (entry.d_tag != DT_NEEDED) continue;
      if (entry.d_un.d_val >= size) damaged();
      const std::uint64_t place = place_of(value_of(entries, DT_STRTAB)) + entry.d_un.d_val;
      names.push_back(name_at(place, size - entry.d_un.d_val));
    }
    return names;
  }

 private:
  InputFile opened() {
    std::error_code failed;
    if (!std::filesystem::exists(file_, failed)) {
      fail(failed ? failed.message() : "there is no such file");  // a link to itself
    }
    if (!std::filesystem::is_regular_file(file_, failed)) fail("it is not a file");
    return InputFile(file_, Accepts::regular_files, ErrorKind::plugin);
  }

  // Up to the one that ends them. The first segment of the kind counts, as for the loader.
  std::vector<Elf64_Dyn> dynamic_entries() {
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type != PT_DYNAMIC) continue;
      if (segment.p_filesz > kMostBytes) damaged();
      auto entries = read<Elf64_Dyn>(segment.p_offset, segment.p_filesz / sizeof(Elf64_Dyn));
      const auto end = std::find_if(entries.begin(), entries.end(),
                                    [](const Elf64_Dyn& entry) { return entry.d_tag == DT_NULL; });
      entries.erase(end, entries.end());
      return entries;
    }
    return {};
  }

  // 0 where there is none.
  static std::uint64_t value_of(const std::vector<Elf64_Dyn>& entries, Elf64_Sxword tag) {
    for (const Elf64_Dyn& entry : entries) {
      if (entry.d_tag == tag) return entry.d_un.d_val;
    }
    return 0;
  }

  // Where in the file the bytes stand that are loaded to an address.
  std::uint64_t place_of(std::uint64_t address) {
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
      const std::uint64_t inside = address - segment.p_vaddr;
      if (inside >= segment.p_filesz) continue;
      if (segment.p_offset > size_ || inside > size_ - segment.p_offset) damaged();
      return segment.p_offset + inside;
    }
    damaged();
  }

  std::string name_at(std::uint64_t place, std::uint64_t room) {
    if (place > size_) damaged();
    const std::uint64_t count = std::min({room, size_ - place, kLongestName});
    std::string text = bytes(place, count, kLongestName);
    const auto end = text.find('\0');
    if (end == text.npos) damaged();
    text.resize(end);
    return text;
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

  // The only way to the file: every offset and length is compared with its size here, by
  // subtraction, which cannot overflow.
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
  std::vector<Elf64_Phdr> segments_;
};

}  // namespace

std::optional<std::string> read_elf_section(const std::filesystem::path& file,
                                            std::string_view section) {
  return ElfFile(file).section(section);
}

std::vector<std::string> read_needed_libraries(const std::filesystem::path& file) {
  return ElfFile(file).needed();
}

}  // namespace weft
