#include "tools/documents.h"

#include <filesystem>

#include <fmt/format.h>

#include "framework/io/same_file.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/base/suggest.h"
#include "registry/building/resolve.h"

namespace weft::tools {

Converter converter_of(const std::string& name, const std::string& file,
                       const Catalogue& catalogue) {
  if (!is_there(file)) {
    throw Error(ErrorKind::usage, fmt::format("there is no file or folder '{}'", file));
  }
  const bool by_ending = name.empty() || name == "auto";
  const std::string chosen = by_ending ? std::string(converter_for(file)) : name;
  const auto names = catalogue.names("converters");
  if (catalogue.find("converters", chosen) == nullptr) {
    const std::string message =
        by_ending ? fmt::format("{}: the ending of its name says no format that is known", file)
                  : fmt::format("there is no converter '{}'", name);
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

std::vector<Doc> read_documents(const std::string& file, const Language& nlp,
                                const Catalogue& catalogue, AlignmentPolicy on_misaligned) {
  const Converter converter = converter_of("", file, catalogue);
  const auto make = [&](std::string_view text) { return nlp.make_doc(text); };
  std::vector<Doc> docs;
  converter.read(
      {.path = file, .vocab = nlp.vocab(), .make_doc = make, .on_misaligned = on_misaligned},
      [&](Doc doc) { docs.push_back(std::move(doc)); });
  if (docs.empty()) throw Error(ErrorKind::data, fmt::format("{} holds no document", file));
  return docs;
}

bool needs_docstart(const Converter& converter, const ConverterInput& input,
                    const std::string& output) {
  const bool conll = output.ends_with(".conll") || output.ends_with(".iob");
  // A pipe can be read only once.
  std::error_code unknown;
  if (!conll || !std::filesystem::is_regular_file(input.path, unknown)) return false;
  bool needed = false;
  converter.read(input, [&](const Doc& doc) { needed = needed || doc.sents().size() > 1; });
  return needed;
}

void refuse_output_on_input(const std::filesystem::path& output,
                            const std::filesystem::path& input) {
  if (!is_input_itself(input, output)) return;
  throw Error(
      ErrorKind::usage,
      fmt::format("the output {} is the input itself, or one of its files; give another name",
                  output.string()));
}

}  // namespace weft::tools
