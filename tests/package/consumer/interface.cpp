// Everything of the interface can be linked with, and errors keep their type on the way out of the library.
#include <coppice/coppice.h>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

namespace {

template <class Function>
bool address(Function* function) {
  Function* volatile kept = function;
  return kept != nullptr;
}

/// train_in() on files, or on a table.
template <class Data>
using TrainIn = coppice::Result(const std::string&, const Data&, const coppice::Options&, coppice::Observer*,
                                const std::function<bool()>&);

}  // namespace

int main() {
  if (coppice::version() != COPPICE_VERSION) return 1;
  // Kept where the compiler cannot see through, so that the linker must find each of them.
  const bool there = address(&coppice::train) && address(&coppice::search) && address(&coppice::evaluate) &&
                     address(&coppice::explain) && address(&coppice::export_model) &&
                     address(&coppice::export_format) && address(&coppice::read_table) &&
                     address(&coppice::read_options_for) &&
                     address<TrainIn<coppice::DataPaths>>(&coppice::train_in) &&
                     address<TrainIn<coppice::Table>>(&coppice::train_in) && address(&coppice::search_in) &&
                     address(&coppice::read_summary) && address(&coppice::read_trials) &&
                     address(&coppice::get_option) && address(&coppice::Model::load) &&
                     !coppice::list_settings().empty() && !coppice::SearchSpace().optimizers.empty();
  coppice::Table table;
  table.add_numbers("x", std::vector<std::int64_t>{1, 2, 3});
  table.add_texts("y", std::vector<std::string>{"a", "b", "a"});
  coppice::Options options;
  coppice::set_option(options, "target", {"z"});
  try {
    coppice::train(table, options);
  } catch (const coppice::Error& error) {
    std::cout << coppice::version() << ": " << error.what() << '\n';
    return there && std::string(error.what()).find('z') != std::string::npos ? 0 : 1;
  }
  return 1;
}
