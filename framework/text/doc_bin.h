// `.spacy` files (spaCy's DocBin), read and written document by document.
// Source: docs/spacy-formats.md section 8.
//
//   weft::DocBinReader reader("train.spacy", vocab);
//   while (auto doc = reader.next()) ...
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "framework/io/deflate_sections.h"
#include "framework/io/msgpack_writer.h"
#include "framework/text/doc.h"
#include "registry/base/error.h"
#include "registry/base/export.h"
#include "registry/base/seeded_hash.h"

namespace weft {

// The columns that spaCy writes unless told otherwise.
WEFT_API std::vector<Attr> default_doc_bin_attrs();

// The arrays of a file stand one after the other, each for all documents: the whole file is
// inflated once when it is opened, which checks it, and again as documents are read, every array
// from a place of its own. Strings and lengths are held, and up to a bound of some 40 MB the tokens
// too, in a form of a few bytes each, which spares inflating them again. Not for several threads.
class WEFT_API DocBinReader {
 public:
  // Throws Error(system) where the file cannot be read; Error(data), placed in the file, where it
  // is no DocBin, damaged or inconsistent.
  DocBinReader(std::string path, std::shared_ptr<const Vocab> vocab);
  ~DocBinReader();
  DocBinReader(const DocBinReader&) = delete;
  DocBinReader& operator=(const DocBinReader&) = delete;

  // The next document, empty ones too, or nothing at the end. Throws Error(data) with file and
  // number of the document for: an id without text, entity marks that are none or begin inside, a
  // head or a span outside, data of another type than expected.
  std::optional<Doc> next();

  const std::string& path() const { return path_; }
  std::size_t size() const;    // documents
  std::size_t tokens() const;  // in all documents

  // As the file has them.
  const std::string& version() const;
  const std::vector<std::uint32_t>& attrs() const;
  const std::vector<std::string>& keys() const;
  const StringTable& strings() const;
  bool has_user_data() const;

 private:
  struct Contents;
  class Decoder;
  std::string path_;
  std::shared_ptr<const Vocab> vocab_;
  std::unique_ptr<Contents> contents_;
  std::unique_ptr<Decoder> decoder_;
  std::size_t next_ = 0;
};

// A document that one file has no room for: several files in a folder are read as one corpus.
class WEFT_API FullDocBin : public Error {
 public:
  FullDocBin();
};

// Collects documents (compressed as they come) and writes them as one file.
class WEFT_API DocBinWriter {
 public:
  // `attrs`: the columns; Attr::orth is always the first, Attr::spacy never one.
  explicit DocBinWriter(std::vector<Attr> attrs = default_doc_bin_attrs());

  // Whether the document still has room: the tokens of a file take less than 4 GiB, some 41 million
  // with the default columns.
  bool fits(const Doc& doc) const;
  // Throws FullDocBin, an Error(data), where it does not, Error(data) where an id of the document
  // has no text.
  void add(const Doc& doc);
  std::size_t size() const { return docs_; }

  // The whole file. The writer is empty afterwards.
  std::string to_bytes();
  // Replaces a file of that name in one step. Throws Error(system).
  void write(const std::string& path);

 private:
  void add_string(const Doc& doc, StringId id);
  void add_strings(const Doc& doc);
  void add_cats(const Doc& doc);
  void add_span_groups(const Doc& doc);

  std::vector<Attr> attrs_;
  DeflateSection tokens_;
  DeflateSection spaces_;
  DeflateSection cats_;
  DeflateSection flags_;
  DeflateSection span_groups_;
  DeflateSection user_data_;
  std::string lengths_;
  std::unordered_set<StringId, SeededHash> known_;
  std::vector<std::string> strings_;
  std::size_t docs_ = 0;
  bool any_user_data_ = false;
};

}  // namespace weft
