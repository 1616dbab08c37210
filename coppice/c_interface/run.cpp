#include "coppice/run/run.h"

#include "coppice/c_interface/callbacks.h"
#include "coppice/c_interface/handles.h"
#include "coppice/core/fail.h"

using namespace coppice;
using namespace coppice::c;

namespace {

/// Trains a run to its end, or throws that it was interrupted.
Result finished(Run run, Callbacks& callbacks) {
  if (!run.train(&callbacks))
    fail_as(ErrorKind::interrupted, "stopped; the run in {} can be resumed", run.directory());
  return run.finish(&callbacks);
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
