#include "tools/entity_lines.h"

#include <ostream>

#include <fmt/format.h>

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
      out_ << fmt::format("    {:12}  {}\n", printable(doc.string(entity.label)),
                          printable(doc.span_text(entity.start, entity.end)));
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
