#include "coppice/run/run.h"

#include "coppice/c_interface/callbacks.h"
#include "coppice/c_interface/handles.h"
#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/report/report.h"
#include "coppice/run/journal.h"
#include "coppice/run/layout.h"

#include <map>

using namespace coppice;
using namespace coppice::c;

namespace {

/// The epochs that a run's journal tells of.
std::vector<EpochReport> epochs_in(const std::string& directory) {
  std::vector<EpochReport> all;
  std::map<std::size_t, std::size_t> last;  // of each net: where its last epoch lies
  journal::read(read_file(layout::in(directory, layout::journal)),
                [&](const journal::Event& event, std::string_view) {
                  if (const auto* epoch = std::get_if<journal::Epoch>(&event)) {
                    last[epoch->net] = all.size();
                    EpochReport& report = all.emplace_back();
                    report.net = epoch->net;
                    report.epoch = epoch->epoch;
                    report.steps = epoch->steps;
                    report.phase = epoch->phase;
                    report.train_loss = epoch->train_loss;
                    report.validation_error = epoch->validation_error;
                    report.lambda = epoch->lambda;
                    report.hidden_units = epoch->hidden_units;
                    report.waited = epoch->waited;
                    report.patience = epoch->patience;
                    report.to_go = epoch->to_go;
                  } else if (const auto* end = std::get_if<journal::End>(&event)) {
                    if (const auto at = last.find(end->net); at != last.end())
                      all[at->second].running = false;
                  }
                });
  return all;
}

/// Trains a run to its end, or throws that it was interrupted.
Result finished(Run run, Callbacks& callbacks) {
  if (!run.train(&callbacks))
    fail_as(ErrorKind::interrupted, "stopped; the run in {} can be resumed", run.directory());
  Result result = run.finish(&callbacks);
  result.history = epochs_in(run.directory());
  return result;
}

/// Begins a run and trains it.
void begin(const RunOptions& options, const char* directory, Callbacks& watching, coppice_result*& to) {
  to = new coppice_result{
      finished(Run::create(options, required_text(directory, "the directory"), watching.stop()), watching)};
}

/// Goes on with a run.
void go_on(const char* directory, const std::function<void(RunOptions&)>& change, Callbacks& watching,
           coppice_result*& to) {
  to = new coppice_result{
      finished(Run::resume(required_text(directory, "the directory"), change, watching.stop()), watching)};
}

}  // namespace

coppice_status coppice_run_train(const char* data, const coppice_options* options, const char* directory,
                                 const coppice_callbacks* callbacks, coppice_result** result) {
  return guarded([&] {
    coppice_result*& to = place_for(result, "the result");
    Callbacks watching(callbacks);
    RunOptions run;
    run.data = required_text(data, "the data");
    run.options = required(options, "the options").value;
    begin(run, directory, watching, to);
  });
}

coppice_status coppice_run_resume(const char* directory, const coppice_callbacks* callbacks,
                                  coppice_result** result) {
  return guarded([&] {
    coppice_result*& to = place_for(result, "the result");
    Callbacks watching(callbacks);
    go_on(
        directory, [](RunOptions&) {}, watching, to);
  });
}

coppice_status coppice_run_train_table(const coppice_table* table, const coppice_options* options,
                                       const char* directory, const coppice_callbacks* callbacks,
                                       coppice_result** result) {
  return guarded([&] {
    coppice_result*& to = place_for(result, "the result");
    Callbacks watching(callbacks);
    RunOptions run;
    run.table = required(table, "the table").value;
    run.options = required(options, "the options").value;
    begin(run, directory, watching, to);
  });
}

coppice_status coppice_run_resume_table(const char* directory, const coppice_table* table,
                                        const coppice_options* options, const coppice_callbacks* callbacks,
                                        coppice_result** result) {
  return guarded([&] {
    coppice_result*& to = place_for(result, "the result");
    Callbacks watching(callbacks);
    const Table& rows = required(table, "the table").value;
    const auto change = [&](RunOptions& run) {
      run.table = rows;
      if (options != nullptr) run.options = options->value;
    };
    go_on(directory, change, watching, to);
  });
}

coppice_status coppice_run_report(const char* directory, coppice_text** path) {
  return guarded([&] {
    coppice_text*& to = place_for(path, "the text");
    to = new coppice_text{write_report(required_text(directory, "the directory"))};
  });
}
