#include "framework/text/choose_converter.h"

#include <fmt/format.h>

#include "framework/text/format_sign.h"
#include "framework/text/iob_line_reader.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/base/suggest.h"
#include "registry/building/resolve.h"

namespace weft {
namespace {

// spaCy has these two names for either layout of words with entity tags, and looks which one it is.
std::string by_layout(const std::string& name, const std::string& path) {
  if (name != "iob" && name != "ner") return name;
  const std::string file = files_of_format(path, name).front();
  if (looks_like_iob_lines(file)) return "iob";
  return name == "iob" && looks_like_tag_lines(file) ? "conll" : name;
}

}  // namespace

Converter converter_of(const std::string& name, const std::string& file,
                       const Catalogue& catalogue) {
  if (!is_there(file)) {
    throw Error(ErrorKind::usage, fmt::format("there is no file or folder '{}'", file));
  }
  const bool by_ending = name.empty() || name == "auto";
  std::string chosen = by_ending ? std::string(converter_for(file)) : name;
  if (chosen.empty() && is_open_already(file)) chosen = converter_for_bytes(first_bytes(file));
  chosen = by_layout(chosen, file);
  const auto names = catalogue.names("converters");
  if (catalogue.find("converters", chosen) == nullptr) {
    std::string message = fmt::format("there is no converter '{}'", name);
    if (by_ending) {
      message = file + (file.ends_with(".csv")
                            ? ": its first line is no header of a word and its tag, nor such a row"
                            : ": the ending of its name says no format that is known");
    }
    throw Error(ErrorKind::usage, fmt::format("{}; converters are {}", message, join_or(names)));
  }
  Object block;
  block.set("@converters", chosen);
  Config config;
  config.root().set("converter", std::move(block));
  Problems problems;
  const auto made = resolve_at(config, "converter", catalogue, {}, problems);
  const bool usable = made && made->is_product() && made->product().get<Converter>() != nullptr;
  if (!usable) {
    throw Error(ErrorKind::usage,
                fmt::format("the converter '{}' cannot be used: {}", chosen,
                            problems.empty() ? "it makes something else" : problems.front().str()));
  }
  return *made->product().get<Converter>();
}

}  // namespace weft
