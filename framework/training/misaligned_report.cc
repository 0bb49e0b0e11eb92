#include "framework/training/misaligned_report.h"

#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "framework/training/on_misaligned.h"

namespace weft {
namespace {

constexpr std::int64_t kMostShown = 5;

std::string name_of(AlignmentPolicy policy) {
  return std::string(enum_names(policy)[static_cast<std::size_t>(policy)]);
}

}  // namespace

MisalignedReport::MisalignedReport(std::string corpus, AlignmentPolicy policy, std::ostream& err)
    : corpus_(std::move(corpus)), policy_(policy), err_(err) {}

MisalignedSink MisalignedReport::sink() {
  return [this](const Misaligned& found) { take(found); };
}

CorpusTells MisalignedReport::tells() {
  return {sink(),
          [this](Verdict verdict) { ++(verdict == Verdict::rejected ? rejected_ : ignored_); }};
}

void MisalignedReport::take(const Misaligned& found) {
  ++(found.kept ? repaired_ : dropped_);
  if (shown_ >= kMostShown) return;
  ++shown_;
  show(fmt::format("warning: {}{}\n", found.str(), found.kept ? "" : "; it is left out"));
  if (shown_ == kMostShown) {
    show(
        fmt::format("further entities of [{}] that do not fit are counted; `weft debug data` "
                    "lists them all\n",
                    corpus_));
  }
}

void MisalignedReport::show(const std::string& line) {
  if (holds_) {
    held_ += line;
  } else {
    err_ << line;
  }
}

void MisalignedReport::show_held() {
  err_ << held_;
  held_.clear();
}

void MisalignedReport::summarize() const {
  if (rejected_ + ignored_ > 0) {
    err_ << fmt::format(
        "note: {} records of [{}] are left out: {} rejected, {} ignored by their annotator\n",
        rejected_ + ignored_, corpus_, rejected_, ignored_);
  }
  if (repaired_ + dropped_ == 0) return;
  err_ << fmt::format(
      "warning: {} entities of [{}] do not fall on tokens: {} left out, {} repaired "
      "(on_misaligned = \"{}\")\n",
      repaired_ + dropped_, corpus_, dropped_, repaired_, name_of(policy_));
}

Object MisalignedReport::counts() const {
  Object counts;
  if (repaired_ > 0) counts.set(name_of(policy_), repaired_);
  if (dropped_ > 0) counts.set("drop", dropped_);
  return counts;
}

}  // namespace weft
