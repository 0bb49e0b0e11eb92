#include "framework/text/doc_bin_contents.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "framework/io/msgpack_reader.h"
#include "framework/text/printable.h"
#include "framework/unicode/unicode.h"
#include "registry/base/seeded_hash.h"

namespace weft {

// Walks the map and notes what it finds.
class DocBinReader::Contents::Builder {
 public:
  Builder(Contents& contents, InflateCursor& cursor, std::uint64_t file_size)
      : contents_(contents), cursor_(cursor), reader_(cursor), file_size_(file_size) {}

  // The first pass over the file: small parts are read, and of each long array a copy of the cursor
  // is kept, which later inflates from there again. So the keys may come in any order, and no array
  // is ever in memory as a whole.
  void read() {
    const std::uint32_t pairs = reader_.read_map();
    for (std::uint32_t i = 0; i < pairs; ++i) {
      if (i == DocBinLimits::kKeys) cursor_.fail(more_than(DocBinLimits::kKeys, "keys"));
      const std::string key(reader_.read_str_or_bin());
      contents_.budget.charge(key.size(), "the keys");
      if (!keys_.insert(key).second) {
        cursor_.fail("the key \"" + printable_brief(key) + "\" is there twice");
      }
      contents_.keys.push_back(key);
      read_value(key);
    }
    if (!cursor_.at_end()) cursor_.fail("bytes behind the end of the data");
    check();
  }

 private:
  void read_value(const std::string& key) {
    if (key == "version") {
      read_version();
    } else if (key == "attrs") {
      read_attrs();
    } else if (key == "strings") {
      read_strings();
    } else if (key == "lengths") {
      read_lengths();
    } else if (key == "tokens") {
      note_tokens();
    } else if (key == "spaces") {
      note_bytes(contents_.spaces);
    } else if (key == "cats") {
      note_list(contents_.cats);
    } else if (key == "flags") {
      note_list(contents_.flags);
    } else if (key == "span_groups") {
      note_list(contents_.span_groups);
    } else if (key == "user_data") {
      note_list(contents_.user_data);
    } else {
      reader_.skip_value();
    }
  }

  void read_version() {
    if (reader_.peek() == MsgpackType::str) {
      contents_.version = reader_.read_str();
    } else {
      reader_.skip_value();
    }
  }

  void read_attrs() {
    const std::uint32_t count = reader_.read_array();
    if (count > DocBinLimits::kColumns) cursor_.fail(more_than(DocBinLimits::kColumns, "columns"));
    for (std::uint32_t i = 0; i < count; ++i) {
      contents_.attrs.push_back(static_cast<std::uint32_t>(reader_.read_integer()));
    }
  }

  void read_strings() {
    auto strings = std::make_shared<StringTable>();
    const std::uint32_t count = reader_.read_array();
    strings->reserve(std::min(count, kBelieved));
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string_view text = reader_.read_str();
      if (find_invalid_utf8(text)) cursor_.fail("a string that is not valid UTF-8");
      contents_.budget.charge(text.size() + kStringBytes, "the strings");
      contents_.longest_string = std::max(contents_.longest_string, text.size());
      strings->add(text);
    }
    contents_.strings = std::move(strings);
  }

  void read_lengths() {
    const std::string_view bytes = reader_.read_bin();
    if (bytes.size() % 4 != 0) cursor_.fail("lengths that are no 32-bit numbers");
    const std::uint64_t most = DocBinLimits::kDocs + file_size_;
    if (bytes.size() / 4 > most) {
      cursor_.fail(more_than(most, "documents, too many for a file of its size"));
    }
    contents_.budget.charge(bytes.size(), "the lengths");
    contents_.lengths.resize(bytes.size() / 4);
    if (!bytes.empty()) std::memcpy(contents_.lengths.data(), bytes.data(), bytes.size());
    have_lengths_ = true;
  }

  // The size is believed only as far as bytes follow: skipping inflates them and fails at the end.
  void note_bytes(DocBinArray& array) {
    array.size = reader_.read_bin_size();
    array.cursor = std::make_unique<InflateCursor>(cursor_);
    cursor_.skip(array.size);
  }

  // A file of moderate size is taken into a table of distinct words at once, which spares the
  // second inflation; `add` says where there are too many words for that.
  void note_tokens() {
    contents_.tokens.size = reader_.read_bin_size();
    contents_.tokens.cursor = std::make_unique<InflateCursor>(cursor_);
    contents_.rows.reset();
    std::uint64_t rest = contents_.tokens.size;
    const std::size_t row_bytes = contents_.attrs.size() * sizeof(StringId);
    if (TokenRows::can_hold(contents_.attrs) && rest % row_bytes == 0 &&
        rest / row_bytes <= TokenRows::kTokens) {
      contents_.rows.emplace(contents_.attrs);
      contents_.rows->reserve(rest / row_bytes);
      rest = take_rows(rest, kRowsAtOnce * row_bytes);
    }
    cursor_.skip(rest);
  }

  // Gives the number of bytes that are left where the table is full.
  std::uint64_t take_rows(std::uint64_t rest, std::uint64_t step) {
    while (rest > 0) {
      const std::string_view bytes = cursor_.take(std::min(rest, step));
      rest -= bytes.size();
      if (contents_.rows->add(bytes)) continue;
      contents_.rows.reset();
      break;
    }
    return rest;
  }

  void note_list(DocBinArray& array) {
    array.size = reader_.read_array();
    array.cursor = std::make_unique<InflateCursor>(cursor_);
    for (std::uint64_t i = 0; i < array.size; ++i) reader_.skip_value();
  }

  void check() {
    // Where the columns are named (again) behind the tokens, the cursor goes by the last names.
    if (contents_.rows && contents_.rows->width() != contents_.attrs.size()) contents_.rows.reset();
    const auto require = [&](bool there, const char* key) {
      if (!there) cursor_.fail("no \"" + std::string(key) + "\" in the file");
    };
    require(!contents_.attrs.empty(), "attrs");
    require(contents_.tokens.cursor != nullptr, "tokens");
    require(contents_.spaces.cursor != nullptr, "spaces");
    require(have_lengths_, "lengths");
    require(contents_.strings != nullptr, "strings");
    require(contents_.cats.cursor != nullptr, "cats");
    const auto& attrs = contents_.attrs;
    if (std::count(attrs.begin(), attrs.end(), static_cast<std::uint32_t>(Attr::orth)) != 1) {
      cursor_.fail("the columns do not have the words (attribute 65) once");
    }
    check_sizes();
  }

  // Lengths are the file's own claims, and all allocation for documents follows from them.
  // Compressed zeros are nearly free, so they are bounded by the size of the file as it lies on the
  // disk.
  void check_sizes() const {
    const std::uint64_t longest = DocBinLimits::most_of_doc(file_size_);
    std::uint64_t count = 0;
    for (const std::int32_t length : contents_.lengths) {
      if (length < 0) cursor_.fail("a document of negative length");
      if (static_cast<std::uint64_t>(length) > longest) {
        cursor_.fail(more_than(longest, "tokens in a document, too many for a file of its size"));
      }
      count += static_cast<std::uint64_t>(length);
    }
    contents_.token_count = count;
    const std::uint64_t most = DocBinLimits::most_of_all(file_size_);
    if (count > most) cursor_.fail(more_than(most, "tokens, too many for a file of its size"));
    const auto expect = [&](std::uint64_t found, std::uint64_t wanted, const std::string& what) {
      if (found == wanted) return;
      cursor_.fail(what + ": " + std::to_string(found) + " where " + std::to_string(wanted) +
                   " were expected");
    };
    expect(contents_.tokens.size, count * contents_.attrs.size() * 8, "bytes of token attributes");
    expect(contents_.spaces.size, count, "bytes for spaces");
    const std::uint64_t docs = contents_.lengths.size();
    expect(contents_.cats.size, docs, "documents with categories");
    if (contents_.flags.cursor) expect(contents_.flags.size, docs, "documents with flags");
    if (contents_.span_groups.cursor) {
      expect(contents_.span_groups.size, docs, "documents with span groups");
    }
  }

  static std::string more_than(std::uint64_t most, const char* what) {
    return "more than " + std::to_string(most) + " " + what;
  }

  static constexpr std::uint64_t kStringBytes = 96;  // of a place in a table that is half full
  // Room is made for at most so many strings before they are there.
  static constexpr std::uint32_t kBelieved = 1u << 16;
  static constexpr std::uint64_t kRowsAtOnce = 64;

  Contents& contents_;
  InflateCursor& cursor_;
  MsgpackReader reader_;
  std::uint64_t file_size_;
  std::unordered_set<std::string, SeededHash> keys_;
  bool have_lengths_ = false;
};

DocBinReader::Contents::Contents(const std::string& path) : budget(path) {
  InflateCursor cursor(path);
  Builder(*this, cursor, size_of_file(path)).read();
}

}  // namespace weft
