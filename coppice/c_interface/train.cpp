#include "coppice/api/train.h"

#include "coppice/c_interface/callbacks.h"
#include "coppice/c_interface/handles.h"

using namespace coppice;
using namespace coppice::c;

coppice_status coppice_train(const coppice_table* table, const coppice_options* options,
                             const coppice_callbacks* callbacks, coppice_result** result) {
  return guarded([&] {
    coppice_result*& to = place_for(result, "the result");
    Callbacks watching(callbacks);
    to = new coppice_result{train(required(table, "the table").value, required(options, "the options").value,
                                  &watching, watching.stop())};
  });
}
