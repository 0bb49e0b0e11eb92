// The data that a run is evaluated on: held in memory if it is small, else read each time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/training/misaligned_report.h"
#include "framework/training/reader.h"
#include "framework/training/unseen_labels.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API EvaluationCorpus {
 public:
  // Reads it once. At most so many bytes of examples (estimated) are held; the references outlive
  // this. Labels of components that are `frozen` are not learned. Throws Error(data) where there is
  // no example.
  EvaluationCorpus(const Reader& reader, const Language& nlp, std::size_t most_bytes,
                   MisalignedReport& misaligned, const std::vector<std::string>& frozen = {});

  bool is_held() const { return is_held_; }
  std::size_t held_bytes() const { return is_held_ ? bytes_ : 0; }
  // Labels that the pipeline did not have when it was read.
  const UnseenLabels& unseen_labels() const { return unseen_; }
  std::int64_t documents() const { return documents_; }
  // The examples from the start, none of them annotated; one stream at a time.
  ExampleStreamPtr open();

 private:
  const Reader& reader_;
  const Language& nlp_;
  bool is_held_ = true;
  std::int64_t documents_ = 0;
  std::size_t bytes_ = 0;
  std::vector<ExamplePtr> examples_;  // empty unless they are held
  UnseenLabels unseen_;
};

}  // namespace weft
