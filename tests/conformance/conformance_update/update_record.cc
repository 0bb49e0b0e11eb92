#include "tests/conformance/conformance_update/update_record.h"

#include <fstream>
#include <memory>
#include <stdexcept>

namespace weft::conformance {

namespace {

using Json = nlohmann::json;

ParseRecord parse_record(const Json& json) {
  ParseRecord record{json.at("doc"), json.at("start"), std::nullopt, json.at("actions")};
  if (!json.at("open").is_null()) record.open_start = json.at("open").at(0).get<int>();
  return record;
}

Example example_of(const Json& json, const std::shared_ptr<const Vocab>& vocab) {
  Doc reference = Doc::from_words(vocab, json.at("words").get<std::vector<std::string>>());
  std::vector<Span> ents, missing;
  for (const Json& ent : json.at("ents")) {
    ents.push_back({ent.at(0), ent.at(1), vocab->strings().add(ent.at(2).get<std::string>())});
  }
  for (const int token : json.at("missing")) missing.push_back({token, token + 1});
  reference.set_ents(ents, EntsDefault::outside, {}, missing);
  return Example::from_reference(std::move(reference));
}

}  // namespace

UpdateRecord update_record(const Json& json) {
  UpdateRecord record;
  record.examples = json.at("examples").get<std::vector<std::size_t>>();
  record.dropout = json.at("dropout");
  record.cut_size = json.at("cut_size");
  if (!json.at("uniform").is_null()) record.uniform = json.at("uniform").at(2).get<double>();
  record.losses = json.at("losses").get<std::map<std::string, double>>();
  for (const Json& state : json.at("states")) record.parses.push_back(parse_record(state));
  for (const Json& mask : json.at("masks")) {
    record.masks.push_back({mask.at("site"), mask.at("rate"), mask.at("tensor")});
  }
  record.gradient_norms = json.at("gradient_norms").get<std::map<std::string, double>>();
  return record;
}

std::vector<Example> read_examples(const std::filesystem::path& file,
                                   const std::shared_ptr<const Vocab>& vocab) {
  std::ifstream lines(file);
  if (!lines) throw std::runtime_error("cannot read " + file.string());
  std::vector<Example> examples;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) examples.push_back(example_of(Json::parse(line), vocab));
  }
  return examples;
}

}  // namespace weft::conformance
