#include "tools/entity_lines.h"

#include <ostream>

#include <fmt/format.h>

#include "framework/text/ent_confidence.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft::tools {
namespace {

class EntityLines : public DocWriter {
 public:
  explicit EntityLines(std::ostream& out) : out_(out) {}

  void add(const Doc& doc) override {
    out_ << printable(doc.text()) << '\n';
    for (const Span& entity : doc.ents()) {
      const auto confidence = ent_confidence(doc, entity);
      out_ << fmt::format("    {:12}  {}{}\n", printable(doc.string(entity.label)),
                          confidence ? fmt::format("{:.3f}  ", *confidence) : "",
                          printable(doc.span_text(entity.start, entity.end)));
    }
    for (const auto& [key, group] : doc.span_groups()) {
      for (const Span& span : group.spans) {
        const std::string label = fmt::format("{}/{}", key, doc.string(span.label));
        out_ << fmt::format("    {:12}  {}\n", printable(label),
                            printable(doc.span_text(span.start, span.end)));
      }
    }
    if (!out_) throw Error(ErrorKind::system, "the output cannot be written");
  }
  void finish() override { out_.flush(); }

 private:
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<DocWriter> entity_lines(std::ostream& out) {
  return std::make_unique<EntityLines>(out);
}

}  // namespace weft::tools
