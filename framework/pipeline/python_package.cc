#include "framework/pipeline/python_package.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <regex>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "framework/io/atomic_file.h"
#include "framework/io/compressed_output.h"
#include "framework/io/construction.h"
#include "framework/io/pretty_json.h"
#include "framework/io/same_file.h"
#include "framework/io/tar_writer.h"
#include "framework/io/zip_writer.h"
#include "framework/pipeline/outside_links.h"
#include "framework/pipeline/package_texts.h"
#include "framework/pipeline/pipeline_card.h"
#include "framework/pipeline/pipeline_hashes.h"
#include "framework/text/printable.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/base/sha256.h"
#include "registry/value/members.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 100;

bool is_identifier(const std::string& name) {
  const auto is_part = [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '_');
  };
  return !name.empty() && name.size() <= kLongestName && std::ranges::all_of(name, is_part) &&
         std::isdigit(static_cast<unsigned char>(name[0])) == 0;
}

constexpr std::array<std::string_view, 35> kKeywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
// Of a package's own module (package_texts.h), and what that has for something else.
constexpr std::array<std::string_view, 5> kNamesOfPackage = {"__init__", "Path", "get_model_meta",
                                                             "load", "load_model_from_init_py"};

// Of a module that the package imports.
void check_module_name(const fs::path& code) {
  const std::string name = code.stem().string();
  const auto is_one_of = [&](const auto& names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (!is_identifier(name) || is_one_of(kKeywords) || code.extension() != ".py") {
    throw Error(ErrorKind::usage,
                fmt::format("{} is no name of a Python module", printable_brief(code.string())));
  }
  if (!is_one_of(kNamesOfPackage)) return;
  throw Error(ErrorKind::usage, fmt::format("{} cannot be a module of the package, which has the "
                                            "name {} for something else; give it another",
                                            printable_brief(code.string()), name));
}

// Runs of signs count as one "_" in the names of archives.
std::string archive_name(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (c != '_' || !result.ends_with('_')) result += c;
  }
  return result;
}

std::string readme_of(const fs::path& pipeline, const Object& meta) {
  const fs::path own = pipeline / "README.md";
  return is_there(own) ? read_file(own, kMostSettings) : pipeline_card(meta);
}

void refuse_damage(const fs::path& pipeline, const Object& meta) {
  if (!is_there(pipeline / "config.cfg")) {
    throw Error(ErrorKind::data,
                fmt::format("{} is no pipeline: it has no config.cfg", pipeline.string()));
  }
  if (!meta.contains(kFileHashes)) return;  // as one of the reference
  const HashCheck check = check_pipeline_files(pipeline);
  if (check.differences.empty()) return;
  throw Error(ErrorKind::data, fmt::format("{} is not as it was saved: {}", pipeline.string(),
                                           fmt::join(check.differences, ", ")));
}

// Archives say that their names are UTF-8, and pip fails at one that is not.
void refuse_other_names(const Object& files) {
  for (const auto& [file, hash] : files) {
    if (!find_invalid_utf8(file)) continue;
    throw Error(ErrorKind::data, fmt::format("the file {} has a name that is no UTF-8, which a "
                                             "Python package cannot hold; give it another",
                                             printable_brief(file)));
  }
}

// Writes the folder and the archives of it.
class Writer {
 public:
  Writer(const fs::path& pipeline, const PackageOptions& options, fs::path to)
      : pipeline_(pipeline),
        options_(options),
        to_(std::move(to)),
        facts_(package_facts(options.meta, readme_of(pipeline, options.meta))),
        versioned_(facts_.name + "-" + facts_.version),
        archive_(archive_name(facts_.name) + "-" + facts_.version) {}

  // Gives the names of the archives, relative to the folder.
  std::vector<fs::path> write() {
    write_module();
    write_file(to_ / "meta.json", to_pretty_json(options_.meta));
    write_file(to_ / "README.md", facts_.readme);
    write_file(to_ / "setup.py", setup_text(facts_));
    write_file(to_ / "MANIFEST.in", manifest_text());
    const Object files = hash_files(to_);
    refuse_other_names(files);
    make_folders(to_ / "dist");
    std::vector<fs::path> archives;
    if (options_.sdist) archives.push_back(write_sdist(files));
    if (options_.wheel) archives.push_back(write_wheel(files));
    return archives;
  }

 private:
  void write_module() const {
    const fs::path module = to_ / facts_.name;
    const fs::path inner = module / versioned_;
    make_folders(inner);
    copy_files(pipeline_, inner);
    write_file(inner / "meta.json", to_pretty_json(options_.meta));
    write_file(module / "meta.json", to_pretty_json(options_.meta));
    std::vector<std::string> names;
    for (const fs::path& code : options_.code) {
      check_module_name(code);
      names.push_back(code.stem().string());
      if (std::ranges::count(names, names.back()) > 1) {
        throw Error(ErrorKind::usage, fmt::format("two modules are called {}", names.back()));
      }
      write_file(module / code.filename(), read_file(code, kMostSettings));
    }
    write_file(module / "__init__.py", init_text(names));
    for (const std::string_view name : kPipelineDocuments) {
      if (is_there(inner / name)) write_file(to_ / name, read_file(inner / name, kMostSettings));
    }
    if (!is_there(inner / "README.md")) write_file(inner / "README.md", facts_.readme);
  }

  fs::path write_sdist(const Object& files) const {
    fs::path name = fs::path("dist") / (archive_ + ".tar.gz");
    AtomicFile target(to_ / name);
    CompressedOutput packed(Compression::gzip, target.stream());
    std::ostream out(&packed);
    TarWriter tar(out);
    tar.add(archive_ + "/PKG-INFO", metadata_text(facts_));
    for (const auto& [file, hash] : files) tar.add_file(archive_ + "/" + file, to_ / file);
    tar.finish();
    packed.finish();
    target.commit();
    return name;
  }

  fs::path write_wheel(const Object& files) const {
    fs::path name = fs::path("dist") / (archive_ + "-py3-none-any.whl");
    AtomicFile target(to_ / name);
    ZipWriter zip(target.stream());
    std::vector<RecordedFile> recorded;
    for (const auto& [file, hash] : files) {
      if (!file.starts_with(facts_.name + "/")) continue;
      zip.add_file(file, to_ / file);
      recorded.push_back({file, hash.as_string(), fs::file_size(to_ / file)});
    }
    const std::string info = archive_ + ".dist-info/";
    const auto add = [&](const char* part, const std::string& text) {
      zip.add(info + part, text);
      recorded.push_back({info + part, sha256(text), text.size()});
    };
    add("METADATA", metadata_text(facts_));
    add("WHEEL", wheel_text());
    add("entry_points.txt", entry_points_text(facts_));
    add("top_level.txt", facts_.name + "\n");
    zip.add(info + "RECORD", record_text(recorded, info + "RECORD"));
    zip.finish();
    target.commit();
    return name;
  }

  const fs::path& pipeline_;
  const PackageOptions& options_;
  fs::path to_;
  PackageFacts facts_;
  std::string versioned_;  // "en_core-0.1.0"
  std::string archive_;    // the same, as archives are called
};

// A package inside of its pipeline would be a part of that which it is made of.
void refuse_own_folder(const fs::path& pipeline, const fs::path& package) {
  if (!is_input_itself(pipeline, package)) return;
  throw Error(ErrorKind::usage,
              fmt::format("the package {} would lie in the folder of its pipeline; give another "
                          "place",
                          printable_brief(package.string())));
}

}  // namespace

std::string package_folder_name(const Object& meta) {
  const std::string name = text_at(meta, "lang") + "_" + text_at(meta, "name");
  // pip takes no name of a project that begins or ends with a sign.
  const bool has_ends = !name.starts_with('_') && !name.ends_with('_');
  if (!is_identifier(name) || !has_ends) {
    throw Error(ErrorKind::usage,
                fmt::format("'{}' is no name of a Python package, the language and a name: at most "
                            "{} letters, digits and _, which is not at its ends; --name gives "
                            "another",
                            printable_brief(name), kLongestName));
  }
  static const std::regex& version = *new std::regex(
      R"(\d{1,9}(\.\d{1,9}){0,9}((a|b|rc)\d{1,9})?(\.post\d{1,9})?(\.dev\d{1,9})?)");
  const std::string text = text_at(meta, "version");
  if (text.size() > kLongestName || !std::regex_match(text, version)) {
    throw Error(
        ErrorKind::usage,
        fmt::format("'{}' is no version of a Python package, like 1.0.0, 1.2rc1 or 1.2.dev3; "
                    "--version gives another",
                    printable_brief(text)));
  }
  return name + "-" + text;
}

WrittenPackage write_package(const fs::path& pipeline, const fs::path& parent,
                             const PackageOptions& options) {
  const std::string folder_name = package_folder_name(options.meta);
  refuse_own_folder(pipeline, parent / folder_name);
  refuse_outside_links(pipeline);
  refuse_damage(pipeline, options.meta);
  AtomicFolder target(parent / folder_name);
  Writer writer(pipeline, options, target.path());
  WrittenPackage written;
  for (const fs::path& archive : writer.write()) {
    written.archives.push_back(parent / folder_name / archive);
  }
  written.name = text_at(options.meta, "lang") + "_" + text_at(options.meta, "name");
  target.commit();
  return written;
}

}  // namespace weft
