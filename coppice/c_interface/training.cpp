#include "coppice/c_interface/callbacks.h"
#include "coppice/c_interface/handles.h"
#include "coppice/run/shared_training.h"

#include <memory>

using namespace coppice;
using namespace coppice::c;

struct coppice_training {
  SharedTraining value;
};

coppice_status coppice_training_new(const coppice_table* table, const coppice_options* options,
                                    const coppice_callbacks* callbacks, coppice_training** training) {
  return guarded([&] {
    coppice_training*& to = place_for(training, "the training");
    Callbacks watching(callbacks);
    std::unique_ptr<coppice_training> made(new coppice_training{SharedTraining(
        required(table, "the table").value, required(options, "the options").value, watching.stop())});
    watching.on_begin(made->value.info());
    to = made.release();
  });
}

size_t coppice_training_waiting(const coppice_training* training) {
  return training == nullptr ? 0 : training->value.waiting().size();
}

size_t coppice_training_net(const coppice_training* training, size_t index) {
  if (training == nullptr) return COPPICE_NO_NET;
  const std::vector<std::size_t> nets = training->value.waiting();
  return index < nets.size() ? nets[index] : COPPICE_NO_NET;
}

coppice_status coppice_training_train(const coppice_training* training, size_t net, size_t threads,
                                      const coppice_callbacks* callbacks, coppice_text** trained) {
  return guarded([&] {
    coppice_text*& to = place_for(trained, "the net");
    Callbacks watching(callbacks);
    to = new coppice_text{
        required(training, "the training").value.train(net, threads, &watching, watching.stop())};
  });
}

coppice_status coppice_training_take(coppice_training* training, const void* trained, size_t size,
                                     const coppice_callbacks* callbacks) {
  return guarded([&] {
    Callbacks watching(callbacks);
    const char& first = required(static_cast<const char*>(trained), "the net");
    required(training, "the training").value.take({&first, size}, &watching);
  });
}

coppice_status coppice_training_finish(coppice_training* training, const coppice_callbacks* callbacks,
                                       coppice_result** result) {
  return guarded([&] {
    coppice_result*& to = place_for(result, "the result");
    Callbacks watching(callbacks);
    to = new coppice_result{required(training, "the training").value.finish(&watching, watching.stop())};
  });
}

void coppice_training_free(coppice_training* training) {
  delete training;
}
