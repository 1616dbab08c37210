#include "coppice/data/reader.h"

#include "coppice/core/text.h"
#include "coppice/data/records.h"

#include <algorithm>
#include <filesystem>
#include <span>

namespace coppice {

namespace {

bool is_idx(std::string_view head) {
  constexpr std::string_view types = "\x08\x09\x0B\x0C\x0D\x0E";
  return head.size() >= 4 && head[0] == '\0' && head[1] == '\0' &&
         types.find(head[2]) != std::string_view::npos && head[3] > 0;
}

bool is_pair(std::string_view word) {
  const std::size_t colon = word.find(':');
  return colon != std::string_view::npos && colon > 0 &&
         std::ranges::all_of(word.substr(0, colon), [](char c) { return c >= '0' && c <= '9'; }) &&
         parse_cell(word.substr(colon + 1)).kind == CellKind::number;
}

/// A label and pairs in every line, at least one pair in all.
bool is_libsvm(std::span<const std::string_view> lines) {
  std::size_t pairs = 0;
  std::vector<std::string_view> words;
  for (const auto line : lines) {
    split_blanks(line.substr(0, line.find('#')), line.size(), words);
    if (words.empty()) continue;
    if (!std::all_of(words.begin() + 1, words.end(), is_pair)) return false;
    pairs += words.size() - 1;
  }
  return pairs > 0;
}

/// Tells arff and libsvm by what the first lines look like; everything else is delimited text.
Format format_of_content(std::string_view head) {
  constexpr std::size_t most_lines = 20;
  std::vector<std::string_view> lines;
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  while (!head.empty() && lines.size() < most_lines) {
    const std::size_t end = head.find('\n');
    // The last line may be cut off by the end of the head.
    if (end == std::string_view::npos && !lines.empty()) break;
    const auto line = trim(head.substr(0, end));
    if (!line.empty() && line[0] != '%') lines.push_back(line);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
  }
  if (lines.empty()) return Format::csv;
  const std::string first = lowercase(lines[0].substr(0, 10));
  if (first.starts_with("@relation") || first.starts_with("@attribute")) return Format::arff;
  return is_libsvm(lines) ? Format::libsvm : Format::csv;
}

}  // namespace

Format find_format(std::string_view name, std::string_view head) {
  if (is_idx(head)) return Format::idx;
  std::filesystem::path path(lowercase(name));
  if (path.extension() == ".gz") path.replace_extension();
  const std::string extension = path.extension().string();
  if (extension == ".csv" || extension == ".tsv") return Format::csv;
  if (extension == ".arff") return Format::arff;
  if (extension == ".amat") return Format::amat;
  if (extension == ".libsvm" || extension == ".svm" || extension == ".svmlight") return Format::libsvm;
  return format_of_content(head);
}

namespace {

OpenRecords open_records(HeadStream& stream, const TableBytes& bytes, Format format) {
  switch (format) {
    case Format::libsvm:
      return open_libsvm(stream, bytes);
    case Format::arff:
      return open_arff(stream, bytes);
    case Format::amat:
      return open_amat(stream, bytes);
    default:
      return open_csv(stream, bytes);
  }
}

}  // namespace

namespace {

/// What is to be read of a file, once its format is known. Images are none.
OpenRecords records_of(HeadStream& stream, const TableBytes& bytes, Format format) {
  if (format != Format::csv) stream.release();
  OpenRecords records = open_records(stream, bytes, format);
  records.info.name = bytes.name;
  records.info.format = format;
  records.info.has_lines = true;
  return records;
}

Table read_images(HeadStream& stream, const TableBytes& bytes) {
  stream.release();
  return read_idx({.stream = stream, .name = bytes.name, .hints = bytes.hints, .limits = bytes.limits});
}

}  // namespace

Table read_bytes(const TableBytes& bytes, std::optional<Format> format) {
  HeadStream stream(bytes.stream, 2 * bytes.limits.line);
  if (!format) format = find_format(bytes.name, stream.peek(format_head));
  if (*format == Format::idx) return read_images(stream, bytes);
  return read_records(bytes, records_of(stream, bytes, *format));
}

void answer_parts(const TableBytes& bytes, std::optional<Format> format, std::size_t rows,
                  const AnswerPart& answer, const PutAnswer& put) {
  HeadStream stream(bytes.stream, 2 * bytes.limits.line);
  if (!format) format = find_format(bytes.name, stream.peek(format_head));
  if (*format == Format::idx) return put(answer(read_images(stream, bytes)));
  answer_records(bytes, records_of(stream, bytes, *format), rows, answer, put);
}

}  // namespace coppice
