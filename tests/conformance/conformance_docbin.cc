// Replays records of `.spacy` files: conformance_docbin FOLDER.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "framework/io/msgpack_reader.h"
#include "framework/text/doc_bin.h"
#include "registry/base/error.h"
#include "tests/conformance/counting/record_tally.h"

namespace {

using nlohmann::json;
using weft::Attr;
using weft::Doc;
using weft::conformance::Verdict;

json read_json(const std::filesystem::path& path) {
  std::ifstream file(path);
  return json::parse(file);
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

// A MessagePack value as the records write it: bytes and maps with keys that are no text have a
// form of their own.
json to_record(weft::MsgpackReader& reader) {
  switch (reader.peek()) {
    case weft::MsgpackType::nil:
      return reader.read_nil(), nullptr;
    case weft::MsgpackType::boolean:
      return reader.read_bool();
    case weft::MsgpackType::integer:
      return reader.read_integer();
    case weft::MsgpackType::floating:
      return reader.read_number();
    case weft::MsgpackType::str:
      return std::string(reader.read_str());
    case weft::MsgpackType::bin:
      return {{"__bytes_hex__", hex(reader.read_bin())}};
    case weft::MsgpackType::array: {
      json list = json::array();
      for (auto count = reader.read_array(); count > 0; --count) list.push_back(to_record(reader));
      return list;
    }
    default:
      break;
  }
  json items = json::array();
  bool plain = true;
  for (auto pairs = reader.read_map(); pairs > 0; --pairs) {
    json key = to_record(reader);
    plain = plain && key.is_string();
    items.push_back({std::move(key), to_record(reader)});
  }
  if (!plain) return {{"__items__", items}};
  json map = json::object();
  for (auto& item : items) map[item[0].get<std::string>()] = item[1];
  return map;
}

json unpacked(const std::string& bytes) {
  if (bytes.empty()) return json::object();
  weft::MemoryCursor cursor(bytes, "user data");
  weft::MsgpackReader reader(cursor);
  return to_record(reader);
}

// An analysis without features is stored as "_".
json strings_of(const Doc& doc, Attr attr) {
  json list = json::array();
  for (int i = 0; i < doc.size(); ++i) {
    const std::string_view text = doc.string(doc.value(attr, i));
    list.push_back(std::string(attr == Attr::morph && text == "_" ? "" : text));
  }
  return list;
}

json ents_of(const Doc& doc) {
  json list = json::array();
  for (const weft::Span& ent : doc.ents()) {
    list.push_back({ent.start, ent.end, std::string(doc.string(ent.label)),
                    std::string(doc.string(ent.kb_id)), std::string(doc.string(ent.id))});
  }
  return list;
}

json spans_of(const Doc& doc) {
  json groups = json::object();
  for (const auto& [key, group] : doc.span_groups()) {
    json spans = json::array();
    for (const weft::Span& span : group.spans) {
      const auto [start_char, end_char] = doc.span_chars(span.start, span.end);
      spans.push_back({span.start, span.end, start_char, end_char,
                       std::string(doc.string(span.label)), std::string(doc.string(span.kb_id)),
                       std::string(doc.string(span.id))});
    }
    groups[key] = {{"name", group.name}, {"attrs", unpacked(group.attrs)}, {"spans", spans}};
  }
  return groups;
}

json cats_of(const Doc& doc) {
  json cats = json::object();
  for (const weft::TextCategory& cat : doc.cats()) {
    std::visit([&](auto value) { cats[cat.label] = value; }, cat.value);
  }
  return cats;
}

json to_record(const Doc& doc) {
  json words = json::array(), spaces = json::array(), norms = json::array(), iobs = json::array(),
       sents = json::array(), heads = json::array();
  for (int i = 0; i < doc.size(); ++i) {
    words.push_back(std::string(doc.word(i)));
    spaces.push_back(doc.space(i));
    norms.push_back(doc.norm(i));
    iobs.push_back(static_cast<int>(doc.ent_iob(i)));
    const int start = doc.sent_starts()[i];
    sents.push_back(start == 0 ? json() : json(start));
    heads.push_back(doc.heads().empty() ? i : i + doc.heads()[i]);
  }
  return {{"words", words},
          {"spaces", spaces},
          {"text", std::string(doc.text())},
          {"has_unknown_spaces", doc.has_unknown_spaces()},
          {"norms", norms},
          {"ent_iob", iobs},
          {"ent_type", strings_of(doc, Attr::ent_type)},
          {"ent_kb_id", strings_of(doc, Attr::ent_kb_id)},
          {"ent_id", strings_of(doc, Attr::ent_id)},
          {"ents", ents_of(doc)},
          {"sent_start", sents},
          {"tags", strings_of(doc, Attr::tag)},
          {"pos", strings_of(doc, Attr::pos)},
          {"morphs", strings_of(doc, Attr::morph)},
          {"lemmas", strings_of(doc, Attr::lemma)},
          {"heads", heads},
          {"deps", strings_of(doc, Attr::dep)},
          {"cats", cats_of(doc)},
          {"spans", spans_of(doc)},
          {"user_data", unpacked(doc.user_data())}};
}

json container_of(const weft::DocBinReader& reader) {
  std::vector<std::string> strings = {""};
  for (const std::string_view text : reader.strings().sorted()) strings.emplace_back(text);
  return {{"version", reader.version()}, {"attrs", reader.attrs()},
          {"strings", strings},          {"has_user_data", reader.has_user_data()},
          {"keys", reader.keys()},       {"n_docs", reader.size()}};
}

class Replay {
 public:
  explicit Replay(std::filesystem::path folder) : folder_(std::move(folder)) {}

  int run() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      if (entry.path().extension() == ".spacy") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      file_ = file.filename().string();
      if (tally_.has_file(std::filesystem::path(file).replace_extension(".json"))) {
        replay_good(file);
      }
    }
    if (tally_.has_file(folder_ / "symbols.json")) replay_symbols();
    if (tally_.has_file(folder_ / "bad.json")) replay_bad();
    tally_.compare_with_list(folder_);
    return tally_.finish();
  }

 private:
  void check(const std::string& id, const json& expected, const json& got) {
    tally_.add(file_, expected == got ? Verdict::passed : Verdict::failed);
    if (expected == got) return;
    std::cout << id << ": expected " << expected.dump() << ", got " << got.dump() << "\n";
  }

  // Every document as read from the file, and after writing it anew.
  void replay_good(const std::filesystem::path& file) {
    const std::string name = file.stem().string();
    const json record = read_json(std::filesystem::path(file).replace_extension(".json"));
    const auto vocab = std::make_shared<weft::Vocab>(record.value("lang", "xx"));
    try {
      weft::DocBinReader reader(file.string(), vocab);
      check_container(name, record.at("container"), container_of(reader));
      check_docs(name, record.at("docs"), reader);
      const std::string copy = rewritten(file);
      weft::DocBinReader again(copy, vocab);
      check_docs(name + " (rewritten)", record.at("docs"), again);
      std::filesystem::remove(copy);
    } catch (const std::exception& error) {
      check(name, "no error", std::string(error.what()));
    }
  }

  // Strings of reserved names need not be listed as such: only their texts count.
  void check_container(const std::string& name, json expected, json got) {
    const auto sorted = [](json& list) {
      std::vector<std::string> strings = list;
      std::erase_if(strings, [](const std::string& s) { return weft::string_id(s) <= 456; });
      std::sort(strings.begin(), strings.end());
      list = strings;
    };
    sorted(expected["strings"]);
    sorted(got["strings"]);
    check(name + " container", expected, got);
  }

  void check_docs(const std::string& name, const json& docs, weft::DocBinReader& reader) {
    std::size_t number = 0;
    while (auto doc = reader.next()) {
      const std::string id = fmt::format("{} document {}", name, number);
      check(id, number < docs.size() ? docs[number] : json(), to_record(*doc));
      ++number;
    }
    check(name + " documents", docs.size(), number);
  }

  static std::string rewritten(const std::filesystem::path& file) {
    const auto vocab = std::make_shared<weft::Vocab>("xx");
    weft::DocBinReader reader(file.string(), vocab);
    weft::DocBinWriter writer;
    while (auto doc = reader.next()) writer.add(*doc);
    const auto copy =
        std::filesystem::temp_directory_path() /
        fmt::format("conformance_docbin_{}_{}.spacy", file.stem().string(), ::getpid());
    writer.write(copy.string());
    return copy.string();
  }

  void replay_symbols() {
    file_ = "symbols.json";
    const auto symbols = read_json(folder_ / "symbols.json");
    for (const auto& [name, id] : symbols.at("ids").items()) {
      check("symbol " + name, id, weft::string_id(name));
    }
  }

  // A file that spaCy refuses has to be refused, by an error that names it; one that it reads may
  // be.
  void replay_bad() {
    const auto bad = read_json(folder_ / "bad.json");
    file_ = "bad.json";
    for (const auto& [name, record] : bad.at("files").items()) {
      const std::string path = (folder_ / "bad" / (name + ".spacy")).string();
      if (!tally_.has_file(path)) continue;
      std::string outcome = "read";
      json lengths = json::array();
      try {
        const auto vocab = std::make_shared<weft::Vocab>("xx");
        weft::DocBinReader reader(path, vocab);
        while (auto doc = reader.next()) {
          lengths.push_back(doc->size());
          to_record(*doc);
        }
      } catch (const weft::Error& error) {
        const bool clear = error.kind() == weft::ErrorKind::data &&
                           std::string(error.what()).find(path) != std::string::npos;
        outcome = clear ? "refused" : std::string("unclear: ") + error.what();
      }
      if (record.at("result") == "error") {
        check("bad " + name, "refused", outcome);
      } else if (outcome == "read") {
        check("bad " + name, record.at("n_tokens"), lengths);
      } else if (outcome == "refused") {
        tally_.add(file_, Verdict::lenient);
      } else {
        check("bad " + name, "read or refused", outcome);
      }
    }
  }

  std::filesystem::path folder_;
  weft::conformance::RecordTally tally_;
  std::string file_;  // that the present records are from
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: conformance_docbin FOLDER\n";
    return 2;
  }
  try {
    return Replay(argv[1]).run();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
