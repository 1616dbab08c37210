#include "coppice/data/generate.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"

#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/own_files.h"
#include "cli/signals.h"
#include "cli/streams.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

using Generator = std::string (*)(std::size_t, std::uint64_t, std::size_t);

const std::map<std::string, Generator>& generators() {
  static const std::map<std::string, Generator> all{
      {"poker", generate_poker},     {"convex", generate_convex},     {"rectangles", generate_rectangles},
      {"twonorm", generate_twonorm}, {"ringnorm", generate_ringnorm}, {"waveform", generate_waveform},
      {"xor", generate_xor},         {"spirals", generate_spirals},   {"parity", generate_parity}};
  return all;
}

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const auto& [name, generate] : generators()) names.push_back(name);
  return names;
}

}  // namespace

Action add_generate(CLI::App& app) {
  struct Arguments {
    std::string kind;
    std::size_t row_count = 10000;
    Options options;  ///< for the seed, which is read as train's is
    std::string out;
  };
  CLI::App* command = app.add_subcommand("generate", "write a data set to try things on");
  auto arguments = std::make_shared<Arguments>();
  command
      ->add_option(
          "KIND", arguments->kind,
          "poker, twonorm, ringnorm, waveform, xor, spirals or parity (csv), convex or rectangles (amat)")
      ->required()
      ->check(CLI::IsMember(kinds()));
  command->add_option("--rows", arguments->row_count, "number of rows [10000]")
      ->check(CLI::Range(1UL, 100000000UL));
  add_setting(*command, "seed", arguments->options, "names the rows [0]");
  command->add_option("-o,--out", arguments->out, "file to write")->required();
  return [arguments] {
    check_not_own_file(arguments->out);
    catch_signals();
    constexpr std::size_t rows_at_once = 1000;  // a file may be larger than the memory
    const Generator generate = generators().at(arguments->kind);
    const std::uint64_t seed = arguments->options.seed.value_or(0);
    write_file(arguments->out, [&](const PutPiece& put) {
      for (std::size_t done = 0; done < arguments->row_count; done += rows_at_once) {
        if (is_interrupted())
          fail_as(ErrorKind::interrupted, "interrupted");  // and what was begun is removed
        put(generate(std::min(rows_at_once, arguments->row_count - done), seed, done));
      }
    });
    show("wrote {} rows to {}\n", arguments->row_count, arguments->out);
    return 0;
  };
}

}  // namespace coppice::cli
