#include "coppice/exports/c_writer.h"

#include "coppice/exports/c_names.h"

namespace coppice {

namespace {

constexpr std::size_t line_width = 110;
/// Of a small device.
constexpr std::size_t pointer_bytes = 4;

}  // namespace

std::string c_float(float value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + "f";
}

std::string c_string(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= ' ' && byte < 127 && c != '"' && c != '\\' && c != '?';
    literal += plain ? std::string(1, c) : fmt::format("\\{:03o}", byte);
  }
  return literal + "\"";
}

std::string c_comment(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    const bool ends = (c == '/' && plain.ends_with('*')) || (c == '*' && plain.ends_with('/'));
    if (ends) plain += ' ';
    plain += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return plain;
}

CWriter::CWriter(std::string prefix) : prefix_(std::move(prefix)), capitals_(c_capitals(prefix_)) {}

std::string CWriter::with_prefix(std::string_view text) const {
  std::string named;
  for (const char c : text) {
    if (c == '$') {
      named += prefix_;
    } else if (c == '@') {
      named += capitals_;
    } else {
      named += c;
    }
  }
  return named;
}

void CWriter::array(const std::string& type, const std::string& name, std::span<const std::string> words,
                    std::size_t bytes_each) {
  text_ += fmt::format("static const {} {}_{}[{}] = {{", type, prefix_, name, words.size());
  std::size_t width = line_width;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (width + words[i].size() + 2 > line_width) {
      text_ += "\n ";
      width = 1;
    }
    text_ += " " + words[i] + (i + 1 < words.size() ? "," : "");
    width += words[i].size() + 2;
  }
  text_ += "\n};\n";
  constants_ += bytes_each * words.size();
}

void CWriter::floats(const std::string& name, std::span<const float> values) {
  std::vector<std::string> words;
  words.reserve(values.size());
  for (const float value : values) words.push_back(c_float(value));
  array("float", name, words, sizeof(float));
}

void CWriter::strings(const std::string& name, std::span<const std::string> texts) {
  std::vector<std::string> words;
  for (const std::string& text : texts) {
    words.push_back(c_string(text));
    constants_ += text.size() + 1;
  }
  array("char *const", name, words, pointer_bytes);
}

}  // namespace coppice
