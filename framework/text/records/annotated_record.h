// One record of an annotation tool's export, whatever the tool: a text or its words, and the
// annotation of it as the record gives it, before the text is a document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace weft {

// [start, end): characters of the text in code points; words where the record has no text.
struct RecordSpan {
  std::size_t start = 0;
  std::size_t end = 0;
  std::string label;
  std::string kb_id = {};
  std::string id = {};
  std::string quote = {};  // the characters as the record repeats them; "" where it does not
};

// The annotator's verdict on the record.
enum class Verdict {
  gold,
  rejected,  // the annotation is wrong: nothing of the record is gold
  ignored,   // nobody decided
};

struct AnnotatedRecord {
  Verdict verdict = Verdict::gold;
  std::optional<std::string> text;                // running text, or
  std::optional<std::vector<std::string>> words;  // words; with both, they spell the text
  std::vector<bool> spaces = {};                  // behind the words; empty: unknown

  std::optional<std::vector<RecordSpan>> spans;  // none: nothing is said of entities
  std::optional<std::vector<std::string>> tags;  // one for each word, "B-PER"
  // Groups of spans that may overlap, by their keys.
  std::vector<std::pair<std::string, std::vector<RecordSpan>>> groups = {};
  using CategoryValue = std::variant<bool, std::int64_t, double>;
  std::vector<std::pair<std::string, CategoryValue>> cats = {};
  // The classes that it belongs to, where that is all the record says: it belongs to no other class
  // of the file.
  std::optional<std::vector<std::string>> classes;
  // An empty list that would be the same for a text without entities and one without classes; both
  // `spans` and `classes` are there.
  bool is_undecided = false;

  bool is_annotated() const { return spans || tags || classes || !cats.empty() || !groups.empty(); }
};

struct RecordOptions {
  std::vector<std::string> tag_names = {};  // of tags that are numbers, in their order
  // Where texts alone are read: the key of a record that has its text. "": any that readers know.
  std::string text_key = {};
};

}  // namespace weft
