#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/json_file.h"
#include "framework/pipeline/find_pipeline.h"
#include "framework/pipeline/package_texts.h"
#include "framework/pipeline/pipeline_hashes.h"
#include "framework/pipeline/python_package.h"
#include "framework/pipeline/replaceable_folder.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/value/members.h"
#include "tools/commands.h"
#include "tools/name_list.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

// Its lists of packages are checked here, where the file's name is known.
Object read_meta(const fs::path& file) {
  Object meta = read_json_object(file);
  try {
    static_cast<void>(package_requirements(meta));
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", file.string(), error.message()));
  }
  return meta;
}

Object pipeline_meta(const fs::path& pipeline) {
  if (const auto fault = run_folder_fault(pipeline)) throw Error(ErrorKind::usage, *fault);
  const fs::path file = pipeline / "meta.json";
  if (!is_there(file)) {
    throw Error(ErrorKind::data,
                fmt::format("{} is no pipeline: it has no meta.json", pipeline.string()));
  }
  return read_meta(file);
}

Object given_meta(const fs::path& file) {
  if (!is_there(file)) {
    throw Error(ErrorKind::usage, fmt::format("there is no {}", file.string()));
  }
  return read_meta(file);
}

// A line of standard input; nothing where it has ended. An endless line is refused early.
std::optional<std::string> read_answer() {
  constexpr std::size_t kLongest = 4096;
  std::string answer;
  for (int letter = std::cin.get(); letter != '\n'; letter = std::cin.get()) {
    if (!std::cin) return std::nullopt;
    if (answer.size() == kLongest) {
      throw Error(ErrorKind::usage, fmt::format("an answer has {} bytes at most", kLongest));
    }
    answer += static_cast<char>(letter);
  }
  return answer;
}

// Asks on standard error and reads a line for each entry; an empty one keeps what is there.
void ask_for_meta(Object& meta) {
  constexpr std::array<std::pair<const char*, const char*>, 8> kQuestions = {
      {{"lang", "language of the pipeline"},
       {"name", "name"},
       {"version", "version"},
       {"description", "description"},
       {"author", "author"},
       {"email", "e-mail of the author"},
       {"url", "site of the author"},
       {"license", "licence"}}};
  for (const auto& [key, question] : kQuestions) {
    std::cerr << fmt::format("{} [{}]: ", question, text_at(meta, key)) << std::flush;
    const std::optional<std::string> answer = read_answer();
    if (!answer) break;
    if (!answer->empty()) meta.set(key, *answer);
  }
}

// The language stands before the name once.
void drop_language(Object& meta) {
  const std::string prefix = text_at(meta, "lang") + "_";
  const std::string name = text_at(meta, "name");
  if (name.starts_with(prefix)) meta.set("name", name.substr(prefix.size()));
}

void require_spacy(Object& meta) {
  const std::string range = text_at(meta, "spacy_version");
  List needs;
  if (const Node* known = meta.find("requirements"); known != nullptr && known->is_list()) {
    needs = known->as_list();
  }
  const auto is_spacy = [](const Node& need) {
    if (!need.is_string()) return false;
    const std::string& text = need.as_string();
    return text.substr(0, text.find_first_of(" <>=!~[;@")) == "spacy";
  };
  if (std::ranges::any_of(needs, is_spacy)) return;
  needs.emplace_back("spacy" + (range.empty() ? std::string(">=3.8.0,<3.9.0") : range));
  meta.set("requirements", std::move(needs));
}

Object package_meta(const CommandLine& line, const fs::path& pipeline) {
  Object meta = pipeline_meta(pipeline);
  if (line.has("meta")) {
    for (auto& [key, value] : given_meta(line.path("meta"))) {
      const bool is_fact = key == "vectors" || key == kFileHashes;  // of the pipeline itself
      if (!is_fact) meta.set(key, value);
    }
  }
  if (line.has("create-meta")) ask_for_meta(meta);
  if (line.has("name")) meta.set("name", line.text("name"));
  if (line.has("version")) meta.set("version", line.text("version"));
  drop_language(meta);
  if (line.has("require-parent")) require_spacy(meta);
  return meta;
}

void choose_formats(const CommandLine& line, PackageOptions& options) {
  if (!line.has("build")) return;
  options.sdist = options.wheel = false;
  bool none = false;
  for (const std::string& format : split_names(line.text("build"))) {
    if (format == "sdist")
      options.sdist = true;
    else if (format == "wheel")
      options.wheel = true;
    else if (format == "none")
      none = true;
    else
      throw Error(ErrorKind::usage,
                  fmt::format("--build takes sdist, wheel and none, not '{}'", printable(format)));
  }
  if (none) options.sdist = options.wheel = false;
}

// Only a package is ever replaced.
void refuse_folder(const CommandLine& line, const fs::path& folder) {
  if (!fs::exists(folder)) return;
  if (!line.has("force")) {
    throw Error(ErrorKind::usage, fmt::format("{} exists; --force replaces it", folder.string()));
  }
  if (!fs::exists(folder / "setup.py") || !fs::exists(folder / "meta.json")) {
    throw Error(ErrorKind::usage, fmt::format("{} exists and is no package", folder.string()));
  }
}

void accept_options(CommandLine& line) {
  line.positional("PIPELINE", "folder of a saved pipeline");
  line.positional("DIR", "gets the folder LANG_NAME-VERSION with the package");
  line.option("meta,m", "FILE", "a meta.json whose entries go before the pipeline's");
  line.also("meta", {"--meta-path"});
  line.flag("create-meta,C", "ask for name, version, author and the like");
  line.option("name,n", "NAME", "name of the package, without the language");
  line.option("version,v", "VERSION", "version of the package");
  line.option("build,b", "FORMATS", "sdist (default), wheel, both with a comma, or none");
  line.option("code,c", "FILES", "Python modules to be imported with it, separated by commas");
  line.flag("require-parent,R", "pip installs spaCy with it");
  line.flag("force,f", "replace a package that is there");
}

}  // namespace

int run_package(const Words& words) {
  CommandLine line("package PIPELINE DIR [options]",
                   "Makes a Python package of a pipeline, for pip and spacy.load.",
                   "weft package out/model-best packages --name shop --build wheel");
  accept_options(line);
  if (!line.parse(words)) return 0;
  const std::string name = line.text("PIPELINE");
  const fs::path pipeline = find_pipeline(name);
  if (!fs::is_directory(pipeline)) {
    throw Error(ErrorKind::usage,
                fmt::format("there is no pipeline folder {}{}", name, where_looked_for(name)));
  }
  PackageOptions options;
  options.meta = package_meta(line, pipeline);
  choose_formats(line, options);
  for (const std::string& file : split_names(line.text("code"))) options.code.emplace_back(file);
  const fs::path parent = line.path("DIR");
  const fs::path folder = parent / package_folder_name(options.meta);
  refuse_folder(line, folder);
  refuse_input_within(folder, pipeline);
  if (line.has("meta")) refuse_input_within(folder, line.path("meta"));
  for (const fs::path& file : options.code) refuse_input_within(folder, file);
  const WrittenPackage written = write_package(pipeline, parent, options);
  std::cerr << "wrote " << folder.string() << '\n';
  for (const fs::path& archive : written.archives) {
    std::cerr << fmt::format("wrote {}; pip install it, then spacy.load(\"{}\")\n",
                             archive.string(), written.name);
  }
  return 0;
}

}  // namespace weft::tools
