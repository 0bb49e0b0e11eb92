#include "framework/text/records/file_classes.h"

#include <filesystem>

#include <fmt/format.h>

#include "framework/io/read_budget.h"
#include "framework/text/records/parse_record.h"
#include "framework/text/records/record_texts.h"
#include "framework/text/records/record_values.h"
#include "framework/text/records/shapes.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// Nothing of a record that is none.
std::vector<std::string> classes_in(const std::string& text, ReadBudget& budget) {
  try {
    const Node record = parse_record(text, budget);
    const AnnotatedRecord found = read_record(record, {});
    if (found.verdict == Verdict::gold && found.classes) return *found.classes;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
  }
  return {};
}

}  // namespace

void FileClasses::add(const std::string& name) {
  if (!known_.insert(name).second) return;
  if (names_.size() == kMost) {
    fail_record(fmt::format("more than {} classes of texts in one file", kMost));
  }
  names_.push_back(name);
}

void FileClasses::read(const std::string& file) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(file, unknown)) return;
  RecordTexts texts(file);
  ReadBudget budget(file);
  std::string text;
  const auto next = [&] {
    try {
      return texts.next(text);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      return false;
    }
  };
  while (next()) {
    if (text.find_first_not_of(" \t\r") == text.npos) continue;
    for (const std::string& name : classes_in(text, budget)) add(name);
  }
}

}  // namespace weft
