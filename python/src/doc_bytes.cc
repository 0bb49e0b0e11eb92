// Documents as the bytes of a `.spacy` file, in memory.
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>
#include <stdio.h>
#include <sys/mman.h>

#include "bind.h"
#include "gil.h"
#include "views.h"

#include "framework/io/descriptor.h"
#include "framework/io/file_sink.h"
#include "framework/text/doc_bin.h"
#include "registry/base/error.h"

namespace weft::python {
namespace {

// The reader reads the file several times at once, from places of its own: these bytes as a file
// that has a name and is on no disk.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : file_(::memfd_create("docs", MFD_CLOEXEC)) {
    const int code = file_ ? write_all(file_.get(), bytes) : errno;
    if (code == 0) return;
    throw Error(ErrorKind::system,
                std::string("no memory file for documents: ") + std::strerror(code));
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_.get()); }

 private:
  Descriptor file_;
};

std::vector<Doc> read(std::string_view bytes, const std::shared_ptr<const Vocab>& vocab) {
  const MemoryFile file(bytes);
  try {
    DocBinReader reader(file.path(), vocab);
    std::vector<Doc> docs;
    while (auto doc = reader.next()) docs.push_back(std::move(*doc));
    return docs;
  } catch (const Error& error) {
    throw Error(error.kind(), "the bytes of documents: " + error.message());  // without that path
  }
}

std::vector<Doc> docs_from_bytes(const nb::bytes& bytes, const std::shared_ptr<Vocab>& vocab) {
  const std::string_view view(bytes.c_str(), bytes.size());
  const ReleasedGil release;
  return read(view, vocab);
}

nb::bytes docs_to_bytes(const std::vector<Doc>& docs) {
  std::string bytes;
  {
    const ReleasedGil release;
    DocBinWriter writer;
    for (const Doc& doc : docs) writer.add(doc);
    bytes = writer.to_bytes();
  }
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void bind_doc_bytes(nb::module_& module) {
  module.def("docs_to_bytes", docs_to_bytes, nb::arg("docs"),
             "Documents as the bytes of a `.spacy` file, which spaCy's DocBin reads.");
  module.def("docs_from_bytes", docs_from_bytes, nb::arg("data"), nb::arg("vocab"),
             "The documents of a `.spacy` file's bytes, which spaCy's DocBin writes.");
}

}  // namespace weft::python
