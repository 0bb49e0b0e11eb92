#include "framework/training/data_problem.h"

#include <algorithm>
#include <array>

namespace weft {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 17> kNames = {
    "unreadable",         "misaligned",       "overlap",  "outside",           "white_space",
    "punctuation",        "crosses_sentence", "too_long", "empty_document",    "not_annotated",
    "control_characters", "duplicate",        "conflict", "train_dev_overlap", "rare_label",
    "one_sided_label",    "similar_labels"};

constexpr std::array kErrors = {DataFault::unreadable, DataFault::misaligned, DataFault::overlap,
                                DataFault::outside, DataFault::white_space};

}  // namespace

std::string_view name_of(DataFault fault) {
  return kNames[static_cast<std::size_t>(fault)];
}

bool is_error(DataFault fault) {
  return std::find(kErrors.begin(), kErrors.end(), fault) != kErrors.end();
}

Object to_object(const DataProblem& problem) {
  Object object;
  object.set("kind", std::string(name_of(problem.fault)));
  object.set("severity", is_error(problem.fault) ? "error" : "warning");
  object.set("corpus", problem.corpus);
  object.set("file", problem.file.empty() ? Node() : Node(problem.file));
  object.set("line", problem.line == 0 ? Node() : Node(problem.line));
  object.set("document", problem.document == 0 ? Node() : Node(problem.document));
  object.set("start", problem.start < 0 ? Node() : Node(problem.start));
  object.set("end", problem.end < 0 ? Node() : Node(problem.end));
  object.set("label", problem.label.empty() ? Node() : Node(problem.label));
  object.set("text", problem.text);
  object.set("message", problem.message);
  object.set("repair", problem.repair);
  return object;
}

}  // namespace weft
