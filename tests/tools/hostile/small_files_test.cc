// Small `.spacy` files that stand for far more than memory holds: each is read within bounds, at
// sizes that double.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/text/string_store.h"
#include "tests/tools/hostile/doc_bin_parts.h"
#include "tests/tools/hostile/hostile_run.h"
#include "tests/tools/program.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;

using Make = std::function<void(DocBinParts&, std::uint64_t)>;

// `size` is where the doubling begins; how the message goes on where the largest is refused.
struct Input {
  const char* name;
  std::uint64_t size;
  Make make;
  const char* refusal = nullptr;
};

std::string one_span(std::uint64_t count) {
  std::string bytes;
  const std::string span = packed([](auto& to) {
    to.bin(std::string(24, '\0') + std::string("\0\0\0\0\0\0\0\1", 8) + std::string(8, '\0'));
  });
  for (std::uint64_t i = 0; i < count; ++i) bytes += span;
  return bytes;
}

std::string span_group(const std::string& name, std::uint64_t spans, const std::string& attrs) {
  return map_head(3) + packed([&](auto& to) { to.str("name"), to.str(name), to.str("attrs"); }) +
         attrs + packed([](auto& to) { to.str("spans"); }) + array_head(spans) + one_span(spans);
}

// The map of a document's groups as the file holds it.
std::string groups(const std::string& map) {
  return bin_head(map.size()) + map;
}

const std::string kNoAttrs = packed([](auto& to) { to.map(0); });

void one_group_under_many_keys(DocBinParts& parts, std::uint64_t size) {
  const std::string group = span_group("g", 1000, kNoAttrs);
  std::string map = map_head(1) + bin_head(group.size()) + group + array_head(size);
  for (std::uint64_t i = 0; i < size; ++i)
    map += packed([&](auto& to) { to.str(std::to_string(i)); });
  parts.set_only("span_groups", groups(map));
}

void one_key_for_many_groups(DocBinParts& parts, std::uint64_t size) {
  std::string map = map_head(size);
  const std::string group = span_group("g", 1, kNoAttrs);
  for (std::uint64_t i = 0; i < size; ++i) {
    map += bin_head(group.size()) + group + packed([](auto& to) { to.array(1), to.str("k"); });
  }
  parts.set_only("span_groups", groups(map));
}

void group_with_attrs(DocBinParts& parts, std::uint64_t size) {
  parts.set("span_groups", [size](InflatingFile& file) {
    const std::string before = map_head(1);
    const std::string in_group = map_head(2) + packed([](auto& to) { to.str("attrs"); });
    const std::string behind = packed([](auto& to) { to.str("spans"), to.array(0); });
    const std::string keys = packed([](auto& to) { to.array(1), to.str("k"); });
    const std::uint64_t group = in_group.size() + 5 + size + behind.size();
    file.add(array_head(1) + bin_head(before.size() + 5 + group + keys.size()) + before);
    file.add(bin_head(group) + in_group + array_head(size));
    file.add_times("\xC0", size);
    file.add(behind + keys);
  });
}

void group_with_name(DocBinParts& parts, std::uint64_t size) {
  const std::string group = span_group(std::string(size, 'n'), 1, kNoAttrs);
  std::string map = map_head(1) + bin_head(group.size()) + group + array_head(1000);
  for (int i = 0; i < 1000; ++i) map += packed([&](auto& to) { to.str(std::to_string(i)); });
  parts.set_only("span_groups", groups(map));
}

Make filled(const char* key, std::function<std::string(std::uint64_t)> start,
            std::string repeated) {
  return [=](DocBinParts& parts, std::uint64_t size) {
    parts.set(key, [=](InflatingFile& file) {
      file.add(start(size));
      file.add_times(repeated, size);
    });
  };
}

Make claimed(const char* key, std::string bytes) {
  return [=](DocBinParts& parts, std::uint64_t) { parts.set(key, bytes); };
}

void many_same_keys(DocBinParts& parts, std::uint64_t size) {
  for (std::uint64_t i = 0; i < size; ++i) {
    parts.add("junk", [](InflatingFile& file) { file.add("\xC0"); });
  }
}

void many_keys(DocBinParts& parts, std::uint64_t size) {
  for (std::uint64_t i = 0; i < size; ++i) {
    parts.add("junk" + std::to_string(i), [](InflatingFile& file) { file.add("\xC0"); });
  }
}

void one_part_twice(DocBinParts& parts, std::uint64_t size) {
  for (std::uint64_t i = 0; i < size; ++i) {
    parts.add("strings", [](InflatingFile& file) { file.add(array_head(0)); });
  }
}

void many_documents(DocBinParts& parts, std::uint64_t size) {
  const auto list = [size](const std::string& element) {
    return [=](InflatingFile& file) {
      file.add(array_head(size));
      file.add_times(element, size);
    };
  };
  parts.set("tokens", bin_head(0));
  parts.set("spaces", bin_head(0));
  parts.set("lengths", [size](InflatingFile& file) {
    file.add(bin_head(4 * size));
    file.add_times(std::string(4, '\0'), size);
  });
  parts.set("cats", list("\x80"));
  parts.set("flags", list("\x80"));
  parts.set("span_groups", list(std::string("\xC4\x00", 2)));
}

void many_tokens(DocBinParts& parts, std::uint64_t size) {
  parts = DocBinParts(size);
}

// So many of 100,000 tokens each.
void long_documents(DocBinParts& parts, std::uint64_t size) {
  const auto list = [size](const std::string& element) {
    return [=](InflatingFile& file) {
      file.add(array_head(size));
      file.add_times(element, size);
    };
  };
  parts = DocBinParts(100000 * size);
  parts.set("lengths", [size](InflatingFile& file) {
    file.add(bin_head(4 * size));
    file.add_times(std::string("\xA0\x86\x01\x00", 4), size);
  });
  parts.set("cats", list("\x80"));
  parts.set("flags", list("\x80"));
  parts.set("span_groups", list(std::string("\xC4\x00", 2)));
}

// A word of 64 KiB, so often; control characters are written as six each.
void long_text(DocBinParts& parts, std::uint64_t size) {
  const std::string word(std::size_t{64} << 10, '\x01');
  parts = DocBinParts(size);
  const std::uint64_t id = string_id(word);
  parts.set("tokens", [id, size](InflatingFile& file) {
    file.add(bin_head(8 * size));
    file.add_times({reinterpret_cast<const char*>(&id), sizeof id}, size);
  });
  parts.set("strings", array_head(1) + str_head(word.size()) + word);
}

void many_columns(DocBinParts& parts, std::uint64_t size) {
  parts.set("attrs", [size](InflatingFile& file) {
    file.add(array_head(size));
    file.add("\x41");
    file.add_times("\x42", size - 1);
  });
}

void repeated_category(DocBinParts& parts, std::uint64_t size) {
  parts.set("cats", [size](InflatingFile& file) {
    file.add(array_head(1) + map_head(size));
    file.add_times(
        "\xA3"
        "cat\xC3",
        size);
  });
}

void long_categories(DocBinParts& parts, std::uint64_t size) {
  parts.set("cats", [size](InflatingFile& file) {
    file.add(array_head(1) + map_head(size));
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::string label = std::to_string(i);
      file.add(str_head((1 << 20) + label.size()) + label);
      file.add_times("c", 1 << 20);
      file.add("\x01");
    }
  });
}

void repeated_flags(DocBinParts& parts, std::uint64_t size) {
  parts.set("flags", [size](InflatingFile& file) {
    file.add(array_head(1) + map_head(size));
    file.add_times(
        "\xA1"
        "f\xC0",
        size);
  });
}

void scalar_of_bytes(DocBinParts& parts, std::uint64_t size) {
  parts.set("cats", [size](InflatingFile& file) {
    file.add(array_head(1) + map_head(1) + packed([](auto& to) {
               to.str("c"), to.map(2), to.str("type"), to.str("<f4"), to.str("data");
             }));
    file.add(bin_head(size));
    file.add_times("\x01", size);
  });
}

constexpr std::uint64_t kMega = 1000 * 1000;

std::vector<Input> inputs_of_documents() {
  return {{"one group under many keys", 10000, one_group_under_many_keys, "its span groups"},
          {"many groups under one key", 10000, one_key_for_many_groups, "is there twice"},
          {"a group with long attributes", 40 * kMega, group_with_attrs, "more than 1 MiB"},
          {"a group with a long name", 500000, group_with_name, "4096 bytes"},
          {"a category again and again", 400000, repeated_category, "is there twice"},
          {"long categories", 20, long_categories, "its categories"},
          {"a number of many bytes", 100 * kMega, scalar_of_bytes, "one text or array"},
          {"a flag again and again", 20 * kMega, repeated_flags},
          {"user data of many bytes", 100 * kMega,
           [](DocBinParts& parts, std::uint64_t size) {
             parts.set("user_data", [size](InflatingFile& file) {
               file.add(array_head(1) + bin_head(size));
               file.add_times("\xC0", size);
             });
           },
           "one text or array"},
          {"a document of many tokens", 2 * kMega, many_tokens, "tokens in a document"},
          {"a long text of few words", 200, long_text, "its text"}};
}

std::vector<Input> inputs_of_files() {
  const auto text = [](std::uint64_t size) { return array_head(1) + str_head(size); };
  return {{"many keys", 1000, many_keys, "keys"},
          {"a key again and again", 20000, many_same_keys, "is there twice"},
          {"strings twice", 1, one_part_twice, "is there twice"},
          {"many columns", 10 * kMega, many_columns, "columns"},
          {"a long string", 150 * kMega, filled("strings", text, "s"), "one text or array"},
          {"many strings", 4 * kMega, filled("strings", array_head, std::string("\xA1x")),
           "the strings"},
          {"a long version", 150 * kMega, filled("version", str_head, "v"), "one text or array"},
          {"many documents", 5 * kMega, many_documents, "too many for a file"},
          {"many tokens", 100 * kMega, many_tokens, "too many for a file"},
          {"many long documents", 50, long_documents, "too many for a file"},
          {"an unknown list", 300 * kMega, filled("unknown", array_head, "\xC0")},
          {"a list in a list", 150 * kMega, filled("unknown", array_head, "\x91\xC0")},
          {"four billion strings", 1, claimed("strings", array_head(0xFFFFFFFF)), "expected text"},
          {"four billion bytes", 1, claimed("tokens", bin_head(0xFFFFFFFF)), "early"},
          {"a string of four billion", 1, claimed("version", str_head(0xFFFFFFFF)), "memory"},
          {"four billion columns", 1, claimed("attrs", array_head(0xFFFFFFFF)), "columns"},
          {"four billion categories", 1, claimed("cats", array_head(0xFFFFFFFF)), "early"}};
}

void expect_bounded(const std::vector<Input>& inputs) {
  const fs::path folder = fresh_folder();
  for (const Input& input : inputs) {
    for (std::uint64_t size = input.size; size <= 2 * input.size; size *= 2) {
      DocBinParts parts;
      input.make(parts, size);
      write_text(folder / "in.spacy", parts.bytes());
      const Tree before = tree_of(folder);
      const std::string name = std::string(input.name) + ", " + std::to_string(size);
      const HostileRun run =
          run_hostile(name, {"convert", "in.spacy", "out.jsonl", "--converter", "spacy"}, folder);
      expect_ended_well(run);
      const bool largest = size == 2 * input.size;
      if (largest && input.refusal != nullptr) expect_refused(run, input.refusal);
      const std::vector<std::string> written = {"out.jsonl"};
      expect_unchanged(before, tree_of(folder),
                       run.code == 0 ? written : std::vector<std::string>());
      fs::remove(folder / "out.jsonl");
    }
  }
}

TEST(HostileSmallFiles, OneDocumentTakesBoundedMemory) {
  expect_bounded(inputs_of_documents());
}

TEST(HostileSmallFiles, TheFileTakesBoundedMemory) {
  expect_bounded(inputs_of_files());
}

}  // namespace
}  // namespace weft::testing_tools
