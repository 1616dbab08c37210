#ifndef COPPICE_TESTS_C_INTERFACE_SAME_MODELS_H
#define COPPICE_TESTS_C_INTERFACE_SAME_MODELS_H

#include "coppice/coppice_c.h"

/* Whether all nets of two results are the same models, byte for byte. */
int same_models(const coppice_result* a, const coppice_result* b);

/* Callbacks that end a training by `stop` as soon as this many epochs have ended. */
typedef struct EndAfter {
  size_t epochs;
  size_t most;
} EndAfter;
coppice_callbacks ending(EndAfter* after);

#endif
