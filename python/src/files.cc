// weft.convert: the command `weft convert` as a function.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include "bind.h"
#include "gil.h"
#include "signals.h"
#include "text.h"

#include "components/weft.h"
#include "framework/io/compression.h"
#include "framework/io/same_file.h"
#include "framework/text/choose_converter.h"
#include "framework/text/doc_writer.h"
#include "framework/text/docstart.h"
#include "framework/text/lost_annotation.h"
#include "registry/base/error.h"

namespace weft::python {
namespace {

namespace fs = std::filesystem;

struct Counts {
  explicit Counts(const std::string& format) : lost(format) {}

  std::int64_t documents = 0, tokens = 0, entities = 0, misaligned = 0;
  std::int64_t rejected = 0, ignored = 0;  // records, by their annotators
  LostAnnotation lost;
};

// Running text is cut by the rules of a language; without one, words have to be given.
MakeDoc cutter(const std::shared_ptr<const Language>& nlp) {
  if (nlp) return [nlp](std::string_view text) { return nlp->make_doc(text); };
  return [](std::string_view) -> Doc {
    throw Error(ErrorKind::usage, "the input has running text: lang says by whose rules it is cut");
  };
}

Counts convert_file(const fs::path& input, const fs::path& output, ConverterInput source,
                    const std::string& converter, const std::string& lang) {
  if (is_input_itself(input, output)) {
    throw Error(ErrorKind::usage, output.string() + " is the input itself");
  }
  const Converter read = converter_of(converter, input.string(), builtin_catalogue());
  const std::shared_ptr<const Language> nlp = lang.empty() ? nullptr : blank(lang);
  source.path = input.string();
  source.vocab = nlp ? nlp->vocab() : std::make_shared<const Vocab>();
  source.make_doc = cutter(nlp);
  const std::string format = format_ending(output);
  if (!is_token_lines(format)) source.untagged = "-";
  Counts counts(format);
  source.tell = [&](const Misaligned&) { ++counts.misaligned; };
  source.left_out = [&](Verdict verdict) {
    ++(verdict == Verdict::rejected ? counts.rejected : counts.ignored);
  };
  const auto writer = open_doc_writer(output, {.docstart = needs_docstart(read, source, format)});
  read.read(source, [&](const Doc& doc) {
    constexpr std::int64_t kBetweenLooks = 256;
    if (counts.documents % kBetweenLooks == 0) throw_if_interrupted();
    writer->add(doc);
    counts.lost.add(doc);
    ++counts.documents;
    counts.tokens += doc.size();
    counts.entities += static_cast<std::int64_t>(doc.ents().size());
  });
  if (counts.documents == 0) {
    throw Error(ErrorKind::data, input.string() + " holds no document");
  }
  writer->finish();
  return counts;
}

nb::dict convert(const fs::path& input, const fs::path& output, const std::string& converter,
                 int n_sents, const std::string& lang, const std::string& misaligned) {
  const auto policy = alignment_policy_of(misaligned);
  if (!policy) throw nb::value_error("misaligned is 'error', 'drop', 'expand' or 'contract'");
  if (n_sents < 1) throw nb::value_error("n_sents is a number from 1 on");
  ConverterInput source;
  source.sents_per_doc = n_sents;
  source.on_misaligned = *policy;
  const Counts counts = [&] {
    const ReleasedGil release;
    return convert_file(input, output, source, converter, lang);
  }();
  nb::dict facts;
  facts["documents"] = counts.documents;
  facts["tokens"] = counts.tokens;
  facts["entities"] = counts.entities;
  facts["misaligned"] = counts.misaligned;
  facts["rejected"] = counts.rejected;
  facts["ignored"] = counts.ignored;
  nb::list lost;
  for (const DocAnnotation kind : counts.lost.found()) lost.append(str_of(name_of(kind)));
  facts["lost"] = lost;
  return facts;
}

}  // namespace

void bind_files(nb::module_& module) {
  module.def(
      "convert", convert, nb::arg("input"), nb::arg("output"), nb::kw_only(),
      nb::arg("converter") = "auto", nb::arg("n_sents") = 1, nb::arg("lang") = "",
      nb::arg("misaligned") = "error",
      nb::sig(
          "def convert(input: str | os.PathLike, output: str | os.PathLike, *, converter: str = "
          "'auto', n_sents: int = 1, lang: str = '', misaligned: str = 'error') -> dict[str, "
          "typing.Any]"),
      "Converts annotated documents; the endings of the names say the formats. Returns counts, "
      "and in `lost` the kinds of annotation that the output has no place for.");
}

}  // namespace weft::python
