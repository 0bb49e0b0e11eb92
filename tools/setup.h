// Common steps before and around the work of commands: the catalogue, the device, messages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "registry/base/problem.h"
#include "registry/functions/catalogue.h"
#include "registry/plugins/plugin.h"
#include "registry/value/config.h"
#include "registry/writing/cfg_writer.h"
#include "tools/command_line.h"

namespace weft::tools {

// The plugins of --code, checked as they are before they are loaded; no code of them runs. Throws
// Error(plugin) where one is given twice, or two have the same name.
std::vector<PluginInfo> inspect_plugins(const CommandLine& line);

// Everything built in, and what --code names: plugins, and files of Python where this program has
// it inside. Pipelines are looked for in the folders of --pipelines from now on. Throws as
// inspect_plugins and load_plugin, Error(usage) for Python without it.
Catalogue load_catalogue(const CommandLine& line);

// Throws Error(device) if --gpu-id asks for a GPU that cannot be used.
void check_device(const CommandLine& line);

// Warnings and notes go to standard error, one per line; throws Error(config) if there are errors.
void report_problems(const Problems& problems);

// Of a section [pretraining] that is there, and not empty.
enum class Pretraining : std::uint8_t { as_it_is, completed };

// Reads, overrides and fills the config at `file`, or of standard input where it is "-"; lists the
// overrides if --verbose was given. Throws Error(config) with all problems if there are errors.
Config load_config(const CommandLine& line, const std::filesystem::path& file,
                   const Catalogue& catalogue, Pretraining section = Pretraining::as_it_is);
// The same of a config that the overrides are not meant for.
Config load_other_config(const std::filesystem::path& file, const Catalogue& catalogue);

// Writes the config as `write_output` does, in the dialect that the ending of `dialect` names, or
// as `.cfg`, whose sections then stand in that order. On standard output, values with characters
// that a terminal must not get are written with the dialect's escapes. Throws Error(config) for
// what the dialect cannot hold.
void write_config(const Config& config, const std::filesystem::path& dialect,
                  const std::filesystem::path& file,
                  SectionOrder order = SectionOrder::breadth_first);

// Whether there is a folder with anything in it. Throws Error(usage) for something else.
bool has_content(const std::filesystem::path& folder);

// To the file, or to standard output where it is "" or "-".
void write_output(const std::filesystem::path& file, const std::string& text);

}  // namespace weft::tools
