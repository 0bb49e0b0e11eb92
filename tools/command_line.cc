#include "tools/command_line.h"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>
#include <utility>

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include "registry/base/error.h"
#include "registry/base/suggest.h"
#include "tools/help_text.h"
#include "tools/version.h"

namespace weft::tools {
namespace {

namespace po = boost::program_options;

using SecondNames = std::map<std::string, std::string>;  // "-sk" -> "spans-key"

// `--section.key` or `--section.key=value`: the name has a dot.
bool is_override(const std::string& word) {
  if (!word.starts_with("--")) return false;
  return word.substr(0, word.find('=')).find('.') != std::string::npos;
}

// Parts the overrides, with their values, from the other words. One of the command's own options,
// `-o`, never is a value; any other word that begins with a single '-' is.
std::pair<Words, Words> split_overrides(const Words& words, const po::options_description& options,
                                        const SecondNames& second_names) {
  const auto is_short_option = [&](const std::string& word) {
    if (second_names.count(word) != 0) return true;
    return word.size() == 2 && word[0] == '-' && options.find_nothrow(word, false) != nullptr;
  };
  std::pair<Words, Words> parts;
  auto& [own, overrides] = parts;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_override(words[i])) {
      own.push_back(words[i]);
      continue;
    }
    overrides.push_back(words[i]);
    if (words[i].find('=') != std::string::npos || i + 1 == words.size()) continue;
    const std::string& next = words[i + 1];
    if (!next.starts_with("--") && !is_short_option(next)) overrides.push_back(words[++i]);
  }
  return parts;
}

constexpr unsigned kHelpWidth = 100;  // columns

constexpr const char* kVerboseMeaning = "list every override and where it comes from";
constexpr const char* kCodeMeaning = "load a plugin first; may be repeated";

std::string usage_hint(const std::string& command) {
  return fmt::format("; see {} --help", command);
}

}  // namespace

struct CommandLine::State {
  std::string usage;
  std::string summary;
  std::string example;
  std::string command;  // the usage's words before the first argument: "weft train"
  po::options_description options{"options", kHelpWidth, 70};
  std::vector<std::pair<std::string, std::string>> positionals;
  std::size_t required = 0;
  bool last_repeats = false;
  bool takes_overrides = false;
  bool tells_version = true;  // false: --version is an option of the command's own
  SecondNames second_names;
  po::variables_map values;
  Words overrides;

  Words long_names() const {
    Words names;
    for (const auto& option : options.options()) names.push_back("--" + option->long_name());
    return names;
  }

  bool has_option(const std::string& name) const {
    return options.find_nothrow(name, false) != nullptr;
  }

  [[noreturn]] void refuse(std::string message, const std::string& word = {}) const {
    const auto near = word.empty() ? Words{} : nearest(word, long_names());
    if (!near.empty()) message += fmt::format(" (did you mean {}?)", join_or(near));
    throw Error(ErrorKind::usage, message + usage_hint(command));
  }

  void print_help() const {
    const std::size_t column = options.get_option_column_width() - 2;
    std::ostringstream text;
    text << "usage: " << usage << "\n\n" << wrapped(summary, kHelpWidth) << "\n";
    if (!positionals.empty()) text << '\n';
    for (const auto& [name, meaning] : positionals) {
      text << fmt::format("  {:<{}}{}\n", name, column, meaning);
    }
    text << '\n' << options;
    if (takes_overrides) {
      text << fmt::format("  {:<{}}{}\n", "--section.key VALUE", column,
                          "a value of the config, as in SPACY_CONFIG_OVERRIDES");
    }
    std::cout << without_trailing_blanks(text.str()) << "\nexample: " << example << '\n';
  }

  // The option that a word means by a second name, with the value behind its '='.
  std::pair<std::string, std::string> by_second_name(const std::string& word) const {
    const std::size_t equals = word.find('=');
    const auto found = second_names.find(word.substr(0, equals));
    if (found == second_names.end()) return {};
    if (equals == std::string::npos) return {found->second, ""};
    if (equals + 1 == word.size()) refuse(fmt::format("there is no value in '{}'", word));
    return {found->second, word.substr(equals + 1)};
  }

  void parse_own(const Words& words) {
    po::options_description all;
    all.add(options);
    all.add_options()("(words)", po::value<Words>());
    po::positional_options_description places;
    places.add("(words)", -1);
    namespace style = po::command_line_style;
    const int exact = style::unix_style & ~style::allow_guessing;
    po::store(po::command_line_parser(words)
                  .options(all)
                  .positional(places)
                  .style(exact)
                  .extra_parser([this](const std::string& word) { return by_second_name(word); })
                  .run(),
              values);
  }

  void place_words() {
    const Words words = values.count("(words)") ? values["(words)"].as<Words>() : Words{};
    if (words.size() > positionals.size() && !last_repeats) {
      const std::string& word = words[positionals.size()];
      const bool may_be_output = values.count("output") == 0 && has_option("output");
      refuse(fmt::format("one word too many: '{}'{}", word,
                         may_be_output ? "; the output is named by --output" : ""));
    }
    if (words.size() < required) {
      refuse(fmt::format("{} is missing", positionals[words.size()].first));
    }
  }
};

CommandLine::CommandLine(std::string usage, std::string summary, std::string example)
    : state_(std::make_unique<State>()) {
  state_->usage = "weft " + std::move(usage);
  state_->summary = std::move(summary);
  state_->example = std::move(example);
  std::size_t end = state_->usage.find_first_of("[(ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  if (end == std::string::npos) end = state_->usage.size() + 1;
  state_->command = state_->usage.substr(0, end - 1);
  flag("help,h", "this text");
}

CommandLine::~CommandLine() = default;

void CommandLine::positional(const std::string& name, const std::string& meaning, bool required) {
  state_->positionals.emplace_back(name, meaning);
  if (required) state_->required = state_->positionals.size();
}

void CommandLine::positionals(const std::string& name, const std::string& meaning) {
  positional(name, meaning);
  state_->last_repeats = true;
}

void CommandLine::option(const std::string& names, const std::string& value,
                         const std::string& meaning) {
  state_->options.add_options()(names.c_str(), po::value<std::string>()->value_name(value),
                                meaning.c_str());
}

void CommandLine::list(const std::string& names, const std::string& value,
                       const std::string& meaning) {
  state_->options.add_options()(names.c_str(), po::value<Words>()->composing()->value_name(value),
                                meaning.c_str());
}

void CommandLine::flag(const std::string& names, const std::string& meaning) {
  state_->options.add_options()(names.c_str(), meaning.c_str());
}

void CommandLine::also(const std::string& name, const Words& words) {
  for (const std::string& word : words) state_->second_names[word] = name;
}

void CommandLine::accept_json() {
  flag("json", "one JSON document on standard output");
}

void CommandLine::accept_code() {
  list("code,c", "LIB.so", kCodeMeaning);
  also("code", {"--code-path"});
}

void CommandLine::accept_code_without_letter() {
  list("code", "LIB.so", kCodeMeaning);
}

void CommandLine::accept_pipelines() {
  list("pipelines", "DIR", "look for pipelines and packages there by their names; may be repeated");
}

void CommandLine::accept_threads() {
  option("threads", "N", "threads to use, all cores by default; never part of a result");
}

void CommandLine::accept_gpu() {
  option("gpu-id,g", "N", "GPU to use; -1, the default, is the CPU");
}

void CommandLine::accept_precision() {
  option("precision", "LEVEL", "predict at O1, O2, O3, bf16 or tf32 instead of in f32");
}

void CommandLine::accept_overrides() {
  state_->takes_overrides = true;
  flag("verbose,V", kVerboseMeaning);
  also("verbose", {"-VV"});
}

void CommandLine::accept_overrides_without_letter() {
  state_->takes_overrides = true;
  flag("verbose", kVerboseMeaning);
}

bool CommandLine::parse(const Words& words) {
  auto [own, overrides] = split_overrides(words, state_->options, state_->second_names);
  if (!overrides.empty() && !state_->takes_overrides) {
    state_->refuse(fmt::format("unknown option '{}'", overrides.front()));
  }
  state_->overrides = std::move(overrides);
  state_->tells_version = state_->options.find_nothrow("version", false) == nullptr;
  if (state_->tells_version) flag("version", "the version");
  try {
    state_->parse_own(own);
  } catch (const po::unknown_option& error) {
    state_->refuse(fmt::format("unknown option '{}'", error.get_option_name()),
                   error.get_option_name());
  } catch (const po::error& error) {
    state_->refuse(error.what());
  }
  if (has("help")) return state_->print_help(), false;
  if (state_->tells_version && has("version")) return print_version(), false;
  state_->place_words();
  return true;
}

bool CommandLine::has(const std::string& name) const {
  return state_->values.count(name) != 0;
}

std::optional<std::string> CommandLine::given(const std::string& name) const {
  if (has(name)) return state_->values[name].as<std::string>();
  const Words words = has("(words)") ? state_->values["(words)"].as<Words>() : Words{};
  // The last name stands for all words behind it where it repeats.
  for (std::size_t i = 0; i < std::min(words.size(), state_->positionals.size()); ++i) {
    if (state_->positionals[i].first == name) return words[i];
  }
  return std::nullopt;
}

std::string CommandLine::text(const std::string& name) const {
  return given(name).value_or("");
}

std::filesystem::path CommandLine::path(const std::string& name) const {
  const std::optional<std::string> word = given(name);
  if (word && word->empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}{} is empty; give a path", has(name) ? "--" : "", name));
  }
  return word.value_or("");
}

std::vector<std::string> CommandLine::texts(const std::string& name) const {
  if (has(name)) return state_->values[name].as<Words>();
  if (!state_->last_repeats || state_->positionals.back().first != name) return {};
  Words words = has("(words)") ? state_->values["(words)"].as<Words>() : Words{};
  const auto before = static_cast<std::ptrdiff_t>(state_->positionals.size()) - 1;
  words.erase(words.begin(), words.begin() + std::min(before, std::ssize(words)));
  return words;
}

int CommandLine::number(const std::string& name, int otherwise) const {
  if (!has(name)) return otherwise;
  const std::string word = text(name);
  int value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::result_out_of_range) {
    using Limits = std::numeric_limits<int>;
    state_->refuse(fmt::format("--{} takes a number from {} to {}, not {}", name, Limits::min(),
                               Limits::max(), word));
  }
  if (error != std::errc() || stop != word.data() + word.size()) {
    state_->refuse(fmt::format("--{} takes a whole number, not '{}'", name, word));
  }
  return value;
}

int CommandLine::number_within(const std::string& name, int otherwise, int least, int most) const {
  const int value = number(name, otherwise);
  if (!has(name) || (value >= least && value <= most)) return value;
  const bool has_most = most < std::numeric_limits<int>::max();
  const std::string until = has_most ? fmt::format("to {}", most) : "on";
  state_->refuse(fmt::format("--{} is a number from {} {}, not {}", name, least, until, value));
}

const Words& CommandLine::override_words() const {
  return state_->overrides;
}

}  // namespace weft::tools
