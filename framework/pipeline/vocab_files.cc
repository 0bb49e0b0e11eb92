#include "framework/pipeline/vocab_files.h"

#include <utility>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/construction.h"
#include "framework/io/json_file.h"
#include "framework/io/pretty_json.h"
#include "framework/pipeline/string_list.h"
#include "framework/text/vectors_file.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"

namespace weft {
namespace fs = std::filesystem;

void read_strings(const Vocab& vocab, const fs::path& file) {
  if (!is_there(file)) {
    throw Error(ErrorKind::data, fmt::format("{} is missing", file.string()));
  }
  std::string json = read_file(file);
  if (is_string_list(json)) {
    // The file may change or go, so its text is kept.
    return vocab.strings().add_later([json = std::move(json)] { return *read_string_list(json); });
  }
  const Node strings = json_from_file(json, file);
  if (!strings.is_list()) {
    throw Error(ErrorKind::data, fmt::format("{} is no JSON list of strings", file.string()));
  }
  for (const Node& text : strings.as_list()) {
    if (!text.is_string()) {
      throw Error(ErrorKind::data,
                  fmt::format("{} holds {} among its strings", file.string(), text.type_name()));
    }
    vocab.strings().add(text.as_string());
  }
}

void write_vocab(const Vocab& vocab, const fs::path& folder) {
  make_folders(folder);
  List strings;
  for (std::string& text : vocab.strings().sorted()) strings.emplace_back(std::move(text));
  write_file(folder / "strings.json", to_pretty_json(strings));
  write_file(folder / "lookups.bin", vocab.lookups().packed());
  write_vectors(vocab.vectors(), folder);
}

void read_vocab(Vocab& vocab, const fs::path& folder) {
  if (!is_there(folder)) return;
  read_strings(vocab, folder / "strings.json");
  const fs::path lookups = folder / "lookups.bin";
  if (is_there(lookups)) {
    vocab.set_lookups(Lookups::parse(read_file(lookups), lookups.string()));
  }
  vocab.set_vectors(std::make_shared<Vectors>(read_vectors(folder)));
}

}  // namespace weft
