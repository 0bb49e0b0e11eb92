// One line of an `expected.jsonl`: a document and what the reference pipeline made of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/text/doc.h"

namespace weft::conformance {

// Intermediate values of the first component and the parser; absolute tolerance 1e-4.
struct Trace {
  std::vector<float> tok2vec_row0;   // first numbers of the first token's vector
  std::vector<float> tok2vec_norms;  // Euclidean norm of every token's vector
  std::vector<float> scores0;        // of every class in the first state
  std::vector<int> moves;            // classes taken
  std::vector<std::string> action_names;
};

struct Entity {
  int start = 0, end = 0;
  std::string label;
  bool operator==(const Entity&) const = default;
};

struct Record {
  std::optional<std::string> text;  // else `words` are given
  std::vector<std::string> words;
  std::vector<bool> spaces;
  std::vector<Entity> ents;
  std::vector<int> sent_start;     // empty: none preset
  std::vector<int> iob;            // empty: none preset
  std::vector<std::string> types;  // beside iob
  std::optional<Trace> trace;

  // Throws nlohmann's exceptions for a line that is not such a record.
  static Record parse(const std::string& line);

  // The document as the pipeline is given it.
  Doc input(const Language& nlp) const;
  // The entities of a document in the form of the record.
  static std::vector<Entity> entities(const Doc& doc);
};

}  // namespace weft::conformance
