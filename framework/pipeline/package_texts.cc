#include "framework/pipeline/package_texts.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "framework/io/csv_field.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// A field of METADATA ends with its line.
std::string one_line(const Object& meta, std::string_view key) {
  const Node* node = meta.find(key);
  if (node == nullptr || !node->is_string()) return {};
  std::string text = node->as_string();
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  return text;
}

bool is_one_line(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return c >= 0x20; });
}

// Base64 with the alphabet for names and without padding, of digits in hexadecimal.
std::string short_base64(const std::string& hex) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  unsigned bits = 0;
  int waiting = 0;
  for (const char digit : hex) {
    bits = bits << 4 | static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    waiting += 4;
    if (waiting < 6) continue;
    waiting -= 6;
    text += kLetters[bits >> waiting & 63];
  }
  if (waiting > 0) text += kLetters[bits << (6 - waiting) & 63];
  return text;
}

// Characters of a path that is quoted in RECORD, which is CSV.
constexpr std::string_view kQuoted = ",\"\r\n";

void add_field(std::string& text, const char* name, const std::string& value) {
  if (!value.empty()) text += fmt::format("{}: {}\n", name, value);
}

// Adds the packages that the list `key` of a meta.json names.
void add_requirements(const Object& meta, const char* key, std::vector<std::string>& names) {
  const Node* entries = meta.find(key);
  if (entries == nullptr || entries->is_null()) return;
  if (!entries->is_list()) {
    throw Error(ErrorKind::data, fmt::format("{} is no list", key));
  }
  for (const Node& entry : entries->as_list()) {
    if (!entry.is_string() || !is_one_line(entry.as_string())) {
      throw Error(
          ErrorKind::data,
          fmt::format("{} holds something else than names of packages, like \"spacy>=3.8\"", key));
    }
    names.push_back(entry.as_string());
  }
}

}  // namespace

std::vector<std::string> package_requirements(const Object& meta) {
  std::vector<std::string> names;
  for (const char* key : {"setup_requires", "requirements"}) add_requirements(meta, key, names);
  return names;
}

PackageFacts package_facts(const Object& meta, std::string readme) {
  PackageFacts facts;
  facts.name = one_line(meta, "lang") + "_" + one_line(meta, "name");
  facts.version = one_line(meta, "version");
  facts.summary = one_line(meta, "description");
  facts.author = one_line(meta, "author");
  facts.email = one_line(meta, "email");
  facts.url = one_line(meta, "url");
  facts.license = one_line(meta, "license");
  facts.readme = std::move(readme);
  facts.requirements = package_requirements(meta);
  return facts;
}

std::string metadata_text(const PackageFacts& facts) {
  std::string text = "Metadata-Version: 2.1\n";
  add_field(text, "Name", facts.name);
  add_field(text, "Version", facts.version);
  add_field(text, "Summary", facts.summary);
  add_field(text, "Home-page", facts.url);
  add_field(text, "Author", facts.author);
  add_field(text, "Author-email", facts.email);
  add_field(text, "License", facts.license);
  for (const std::string& needed : facts.requirements) add_field(text, "Requires-Dist", needed);
  return text + "Description-Content-Type: text/markdown\n\n" + facts.readme;
}

std::string wheel_text() {
  return "Wheel-Version: 1.0\nGenerator: weft\nRoot-Is-Purelib: true\nTag: py3-none-any\n";
}

std::string entry_points_text(const PackageFacts& facts) {
  return fmt::format("[spacy_models]\n{0} = {0}\n", facts.name);
}

std::string setup_text(const PackageFacts& facts) {
  return fmt::format(
      R"(# Installs the pipeline beside this file; its name, version and needs stand in meta.json.
import glob
import json
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).resolve().parent
NAME = "{}"
META = json.loads((HERE / "meta.json").read_text(encoding="utf8"))


def line(key):
    return " ".join(str(META.get(key) or "").split()) or None


setup(
    name=NAME,
    version=META["version"],
    description=line("description"),
    long_description=(HERE / "README.md").read_text(encoding="utf8"),
    long_description_content_type="text/markdown",
    author=line("author"),
    author_email=line("email"),
    url=line("url"),
    license=line("license"),
    packages=[NAME],
    package_data={{NAME: [glob.escape(str(file.relative_to(HERE / NAME))) for file in (HERE / NAME).rglob("*") if file.is_file()]}},
    install_requires=(META.get("setup_requires") or []) + (META.get("requirements") or []),
    entry_points={{"spacy_models": [f"{{NAME}} = {{NAME}}"]}},
    zip_safe=False,
)
)",
      facts.name);
}

std::string manifest_text() {
  return "include meta.json\ninclude README.md\ninclude LICENSE\ninclude LICENSES_SOURCES\n";
}

std::string init_text(const std::vector<std::string>& modules) {
  std::string imports;
  for (const std::string& module : modules) imports += fmt::format("from . import {}\n", module);
  return fmt::format(R"(from pathlib import Path

from spacy.util import get_model_meta, load_model_from_init_py

{}__version__ = get_model_meta(Path(__file__).parent)["version"]


def load(**overrides):
    return load_model_from_init_py(__file__, **overrides)
)",
                     imports.empty() ? "" : imports + "\n");
}

std::string record_text(const std::vector<RecordedFile>& files, const std::string& own_path) {
  std::string text;
  for (const RecordedFile& file : files) {
    text += fmt::format("{},sha256={},{}\n", csv_field(file.path, kQuoted),
                        short_base64(file.sha256), file.size);
  }
  return text + csv_field(own_path, kQuoted) + ",,\n";
}

}  // namespace weft
