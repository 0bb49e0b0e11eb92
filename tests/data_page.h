// The examples of docs/data.md: files, commands and what the commands say.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace weft {

struct PageFile {
  std::string name;
  std::string text;
};

struct PageCommand {
  std::vector<std::string> words;  // behind `weft`
  std::string output;              // the lines below it
};

struct DataPage {
  std::vector<PageFile> files;
  std::vector<PageCommand> commands;
};

inline std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// A block behind a paragraph that ends with "File `NAME`:" is that file; one that begins with
// "$ weft" has a command and its output.
inline DataPage data_page(const std::string& path) {
  std::ifstream page(path);
  DataPage result;
  std::string paragraph, block;
  bool in_block = false;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("```")) {
      (in_block ? block : paragraph) += line + "\n";
      continue;
    }
    in_block = !in_block;
    if (in_block) continue;
    const std::size_t mark = paragraph.rfind("File");
    const std::size_t start = mark == paragraph.npos ? mark : paragraph.find('`', mark);
    const std::size_t end = paragraph.find_last_not_of(" \n");
    if (start != paragraph.npos && end != paragraph.npos && paragraph.substr(end - 1, 2) == "`:") {
      result.files.push_back({paragraph.substr(start + 1, end - start - 2), block});
    } else if (block.starts_with("$ weft ")) {
      const std::size_t stop = block.find('\n');
      result.commands.push_back({words_of(block.substr(7, stop - 7)), block.substr(stop + 1)});
    }
    paragraph.clear();
    block.clear();
  }
  return result;
}

}  // namespace weft
