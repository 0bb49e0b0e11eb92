// The table of a training run as text: a row for each evaluation.
//
//   E    #       LOSS NER  ENTS_F  ENTS_P  ENTS_R  SCORE   WPS
//   ---  ------  --------  ------  ------  ------  ------  -------
//     0       0     45.24    0.00    0.00    0.00    0.00    15023
#pragma once

#include <string>
#include <vector>

#include "framework/training/logger.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API ScoreTable {
 public:
  // Columns: epoch, step, a loss for each of `loss_names`, a score for each of `score_names`, the
  // main score, words per second of training. Of many scores the first 40.
  ScoreTable(std::vector<std::string> loss_names, std::vector<std::string> score_names);

  // The two lines above the rows, each with its line feed.
  std::string header() const;
  // Scores are shown as per cents, except `speed`; missing ones and null as 0. A number that is
  // too long for its column gives up decimals, then digits ("1.2e+09"), a count its thousands
  // ("1234k"). Throws Error(usage) if a score asked for is no number.
  std::string row(const TrainingInfo& info) const;

 private:
  std::vector<std::string> loss_names_;
  std::vector<std::string> score_names_;
  std::vector<std::string> titles_;
  std::vector<std::size_t> widths_;
};

}  // namespace weft
