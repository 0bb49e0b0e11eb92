#include "framework/text/converter.h"

#include <array>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "framework/io/compression.h"
#include "framework/io/file_limits.h"
#include "framework/io/files_below.h"
#include "framework/io/input_lines.h"
#include "framework/text/iob_line_reader.h"
#include "framework/text/printable.h"
#include "framework/text/spacy_json_sign.h"
#include "framework/text/tag_columns.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kEndings = {{
    {".conll", "conll"},
    {".ner", "conll"},
    {".iob", "conll"},
    {".iob2", "conll"},
    {".bio", "conll"},
    {".tsv", "conll"},
    {".csv", "conll"},
    {".conllu", "conllu"},
    {".conllubio", "conllu"},
    {".jsonl", "jsonl"},
    {".ndjson", "jsonl"},
    {".json", "json"},
    {".spacy", "spacy"},
    {".txt", "text"},
    {".text", "text"},
}};

// Other names of converters, and one that reads the same endings in another way.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kSameFiles = {{
    {"ner", "conll"},
    {"iob", "conll"},
    {"conllubio", "conllu"},
}};

// Endings above that another converter reads too.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kSharedEndings = {{
    {".json", "jsonl"},
    {".csv", "csv"},
    {".tsv", "tsv"},
}};

// Pipes, which can be read only once, are left alone.
bool has_tag_csv(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  InputLines lines(path, kLongestTokenLine);
  for (std::string line; lines.next(line);) {
    if (line.find_first_not_of(" \t\r") != line.npos) return looks_like_tag_csv(line);
  }
  return false;
}

std::string_view by_ending(const std::string& file) {
  const std::string ending = format_ending(file);
  if ((ending == ".iob" || ending == ".ner") && looks_like_iob_lines(file)) return "iob";
  if (ending == ".json") return looks_like_spacy_json(file) ? "json" : "jsonl";
  if (ending == ".csv") return has_tag_csv(file) ? "conll" : "csv";
  for (const auto& [known, name] : kEndings) {
    if (known == ending) return name;
  }
  return "";
}

std::vector<std::string_view> endings_of(std::string_view converter) {
  for (const auto& [name, same] : kSameFiles) {
    if (name == converter) converter = same;
  }
  std::vector<std::string_view> endings;
  endings.reserve(kEndings.size());
  for (const auto& [ending, name] : kEndings) {
    if (name == converter) endings.push_back(ending);
  }
  for (const auto& [ending, name] : kSharedEndings) {
    if (name == converter) endings.push_back(ending);
  }
  return endings;
}

// The name of a file in the folder.
std::string below(const std::string& folder, const std::string& file) {
  return printable_brief(std::filesystem::path(file).lexically_relative(folder).string());
}

std::string_view of_folder(const std::string& folder) {
  std::vector<std::string_view> endings;
  endings.reserve(kEndings.size());
  for (const auto& [ending, name] : kEndings) endings.push_back(ending);
  const std::vector<std::string> files = files_below(folder, endings, CompressedFiles::taken);
  if (files.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("the folder {} holds no file of documents; their names end in {}",
                            folder, fmt::join(endings, ", ")));
  }
  const std::string_view first = by_ending(files.front());
  for (const std::string& file : files) {
    const std::string_view other = by_ending(file);
    if (other == first) continue;
    // One ending may stand for two formats, as .csv does for rows and for tokens.
    throw Error(
        ErrorKind::usage,
        fmt::format("the folder {} holds files of several formats: {} is {}, {} is {}; "
                    "--converter says which are meant",
                    folder, below(folder, files.front()), first, below(folder, file), other));
  }
  return first;
}

bool is_folder(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::is_directory(path, unknown);
}

}  // namespace

std::string_view converter_for(const std::string& path) {
  return is_folder(path) ? of_folder(path) : by_ending(path);
}

TakeDoc tagged(const ConverterInput& input, const TakeDoc& take) {
  if (input.untagged.empty()) return take;
  const StringId tag = input.vocab->strings().add(input.untagged);
  return [tag, &take](Doc doc) {
    if (doc.column(Attr::tag).empty()) {
      doc.set_column(Attr::tag, std::vector<StringId>(static_cast<std::size_t>(doc.size()), tag));
    }
    take(std::move(doc));
  };
}

std::vector<std::string> files_of_format(const std::string& path, std::string_view converter) {
  if (!is_folder(path)) return {path};
  const std::vector<std::string_view> endings = endings_of(converter);
  std::vector<std::string> files = files_below(path, endings, CompressedFiles::taken);
  // The two formats that share an ending.
  std::erase_if(files, [&](const std::string& file) {
    return format_ending(file) == ".json" && by_ending(file) != converter;
  });
  if (files.empty()) {
    throw Error(ErrorKind::usage, fmt::format("the folder {} holds no file that ends in {}", path,
                                              fmt::join(endings, ", ")));
  }
  return files;
}

void each_file(const ConverterInput& input, std::string_view converter, const TakeDoc& take,
               const ReadFile& read) {
  const std::vector<std::string> files = files_of_format(input.path, converter);
  const bool goes_on = input.bad_row && files.size() > 1;
  // False while those work who are given documents and rows: their faults are none of a file.
  bool is_reading = true;
  ConverterInput one = input;
  if (goes_on) {
    one.bad_row = [&](const Error& error) {
      is_reading = false;
      input.bad_row(error);
      is_reading = true;
    };
  }
  for (const std::string& file : files) {
    one.path = file;
    try {
      read(one, [&](Doc doc) {
        is_reading = false;
        take(std::move(doc));
        is_reading = true;
      });
    } catch (const Error& error) {
      if (!goes_on || !is_reading || error.kind() != ErrorKind::data) throw;
      one.bad_row(Error(ErrorKind::data, error.message() + "; the rest of the file is left out",
                        error.place()));
    }
  }
}

}  // namespace weft
