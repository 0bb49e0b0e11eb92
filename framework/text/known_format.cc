#include "framework/text/known_format.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "framework/io/compression.h"
#include "framework/io/input_stream.h"
#include "framework/io/text_beginning.h"
#include "framework/text/records/entity_tag.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::size_t kBeginning = 4096;
constexpr std::string_view kBlanks = " \t\r\n";

struct FormatFacts {
  KnownFormat format;
  std::string_view name;
  std::string_view ending;
  std::string_view converter;
  std::string_view reader;  // "": none
};

constexpr std::array<FormatFacts, 4> kFormats = {{
    {KnownFormat::spacy, "a .spacy file", ".spacy", "spacy", "spacy.Corpus.v1"},
    {KnownFormat::conll, "CoNLL text, words in columns", ".conll", "conll", "weft.ConllCorpus.v1"},
    {KnownFormat::jsonl, "JSON lines", ".jsonl", "jsonl", "spacy.JsonlCorpus.v1"},
    {KnownFormat::json, "a JSON list, as spaCy 2 has it", ".json", "json", ""},
}};

const FormatFacts& facts_of(KnownFormat format) {
  return *std::find_if(kFormats.begin(), kFormats.end(),
                       [&](const FormatFacts& facts) { return facts.format == format; });
}

// zlib's two bytes: deflate with a window of at most 32 KiB, and a sum that 31 divides.
bool is_zlib(std::string_view text) {
  if (text.size() < 2) return false;
  const unsigned first = static_cast<unsigned char>(text[0]);
  const unsigned second = static_cast<unsigned char>(text[1]);
  const bool begins =
      (first & 0x0FU) == 8 && (first >> 4U) <= 7 && (first * 256 + second) % 31 == 0;
  // A text can begin with `x^`, but has no control characters.
  return begins && std::any_of(text.begin(), text.end(), [](char c) { return c >= 0 && c < '\t'; });
}

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

bool is_conll(std::string_view text) {
  const std::string_view line = first_line(text);
  if (line.starts_with("-DOCSTART-")) return true;
  const std::size_t end = line.find_last_not_of(kBlanks);
  if (end == line.npos) return false;
  const std::string_view words = line.substr(0, end + 1);
  const std::size_t gap = words.find_last_of(" \t");
  return gap != words.npos && is_entity_tag(words.substr(gap + 1));
}

std::string beginning_of(const std::string& file) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(file, unknown)) return "";
  std::string bytes(kBeginning, '\0');
  std::size_t size = 0;
  try {
    InputStream input(file);
    while (size < bytes.size()) {
      const std::size_t got = input.read(bytes.data() + size, bytes.size() - size);
      if (got == 0) break;
      size += got;
    }
  } catch (const Error&) {  // of damage the reader tells, with its place
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

KnownFormat format_of(std::string_view beginning) {
  if (is_zlib(beginning)) return KnownFormat::spacy;
  if (beginning.starts_with(kByteOrderMark)) beginning.remove_prefix(kByteOrderMark.size());
  const std::size_t start = beginning.find_first_not_of(kBlanks);
  if (start == beginning.npos) return KnownFormat::unknown;
  beginning.remove_prefix(start);
  if (is_conll(beginning)) return KnownFormat::conll;
  const std::size_t inner = beginning.find_first_not_of(kBlanks, 1);
  if (inner == beginning.npos) return KnownFormat::unknown;
  if (beginning[0] == '{' && beginning[inner] == '"') return KnownFormat::jsonl;
  if (beginning[0] == '[' && beginning[inner] == '{') {
    // Lists of records are read as lines of them are; only spaCy 2 has paragraphs.
    const bool is_old = beginning.find("\"paragraphs\"") != beginning.npos;
    return is_old ? KnownFormat::json : KnownFormat::jsonl;
  }
  return KnownFormat::unknown;
}

void refuse_other_format(const std::string& file, KnownFormat wanted) {
  const KnownFormat found = format_of(beginning_of(file));
  if (found == KnownFormat::unknown || found == wanted) return;
  const FormatFacts& other = facts_of(found);
  const FormatFacts& own = facts_of(wanted);
  const std::string output =
      std::filesystem::path(uncompressed_name(file)).replace_extension(own.ending).string();
  const std::string words = output != file ? fmt::format("weft convert {} {}", file, output)
                                           : fmt::format("weft convert {} NAME{} --converter {}",
                                                         file, own.ending, other.converter);
  const std::string reader =
      other.reader.empty() ? "" : fmt::format("; the reader {} takes it", other.reader);
  const std::string message = fmt::format("this is {}, not {}{}; `{}` makes the other of it",
                                          other.name, own.name, reader, words);
  throw Error(ErrorKind::data, message,
              Origin::file(std::make_shared<const std::string>(file), 0, 0));
}

}  // namespace weft
