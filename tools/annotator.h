// Annotates documents as they come from a file, a batch at a time, and writes them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/text/doc.h"
#include "framework/text/doc_writer.h"
#include "registry/value/config.h"
#include "tools/bad_rows.h"

namespace weft::tools {

class Annotator {
 public:
  // `batch_size`: documents annotated together, fewer where they are long. `least`: the confidence
  // of the entities that are kept; 0: all. The pipeline, the writer and `bad_rows` outlive it.
  Annotator(const Language& nlp, int threads, std::size_t batch_size, double least,
            DocWriter& writer, BadRows& bad_rows)
      : nlp_(nlp),
        pool_(threads),
        batch_size_(batch_size),
        least_(least),
        writer_(writer),
        bad_rows_(bad_rows) {}

  // The record of the document that is taken next.
  void take_record(const Node* record);
  // Annotates and writes those that were taken, once they are a batch. Throws as components do, but
  // that a document to which one of them answers with Error(data) may be left out (`bad_rows`).
  void take(const Doc& doc);
  // The same at the end, whatever is left.
  void flush();

  // Documents written.
  std::size_t count() const { return count_; }

 private:
  struct Fields {
    std::string fields;
    std::string without_spans;  // the same where groups of spans are predicted
  };

  // Gives the document back as well: those to come may have many spans.
  void write(std::size_t i);
  // Documents without tokens get what each of them gets alone, whatever stands beside them.
  void annotate_empty();
  // Documents with tokens from this one on. Gives the first that is not annotated.
  std::size_t annotate_some(std::size_t begin);
  // Leaves the document out if a component gives up on it.
  void annotate_alone(std::optional<Doc>& doc);

  const Language& nlp_;
  WorkerPool pool_;
  std::size_t batch_size_;
  double least_;
  DocWriter& writer_;
  BadRows& bad_rows_;
  // Nothing in the place of one that is left out, or written.
  std::vector<std::optional<Doc>> taken_;
  std::vector<Doc> plain_;      // before they were annotated, which may split and join their tokens
  std::vector<Fields> fields_;  // of each document
  bool alone_ = false;          // each is annotated alone, as a component failed on one of them
  Fields next_;
  std::size_t tokens_ = 0;
  std::size_t field_bytes_ = 0;
  std::size_t count_ = 0;
};

}  // namespace weft::tools
