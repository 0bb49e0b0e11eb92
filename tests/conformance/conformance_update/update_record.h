// A recorded update of the reference: `NAME.json` and `NAME.safetensors` of a folder of records.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "framework/io/safetensors.h"
#include "framework/text/example.h"
#include "tests/conformance/updates/replayed_masks.h"

namespace weft::conformance {

// A parse of the update.
struct ParseRecord {
  int doc = 0, start = 0;
  std::optional<int> open_start;
  std::vector<int> actions;
  bool operator==(const ParseRecord&) const = default;
};

struct UpdateRecord {
  std::vector<std::size_t> examples;  // lines of examples.jsonl
  double dropout = 0;
  int cut_size = 0;
  std::optional<double> uniform;
  std::map<std::string, double> losses;
  std::vector<ParseRecord> parses;
  std::vector<MaskRecord> masks;
  std::map<std::string, double> gradient_norms;
};

UpdateRecord update_record(const nlohmann::json& json);

// Examples in the order of the file: predicted and reference document have the same words.
std::vector<Example> read_examples(const std::filesystem::path& file,
                                   const std::shared_ptr<const Vocab>& vocab);

}  // namespace weft::conformance
