#include "check.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

/* What was called, and after how many epochs to end how. */
typedef struct Seen {
  pthread_t thread;
  int other_thread;
  int begins;
  int epochs;
  int notes;
  int stops;
  int end_at_begin;
  int end_after;
  int stop_after;
} Seen;

static Seen* seen_by(void* user) {
  Seen* seen = user;
  if (!pthread_equal(seen->thread, pthread_self())) seen->other_thread = 1;
  return seen;
}

static int on_begin(void* user, const char* info_json) {
  Seen* seen = seen_by(user);
  ++seen->begins;
  CHECK(has(info_json, "\"train_rows\":") && has(info_json, "\"options\":{"));
  return seen->end_at_begin;
}

static int on_epoch(void* user, const coppice_epoch* epoch) {
  Seen* seen = seen_by(user);
  ++seen->epochs;
  CHECK(epoch->size == sizeof *epoch);
  CHECK(epoch->net < 2 && epoch->epoch >= 1 && epoch->steps >= 1);
  CHECK(epoch->hidden_layers >= 1 && epoch->hidden_units[0] < 100000);
  CHECK(strlen(epoch->phase) > 0 && epoch->lambda > 0 && epoch->train_loss > 0);
  return seen->end_after > 0 && seen->epochs >= seen->end_after;
}

static int on_note(void* user, const char* note) {
  ++seen_by(user)->notes;
  CHECK(strlen(note) > 0);
  return 0;
}

static int stop(void* user) {
  Seen* seen = seen_by(user);
  ++seen->stops;
  return seen->stop_after > 0 && seen->epochs >= seen->stop_after;
}

static coppice_callbacks all_to(Seen* seen) {
  const coppice_callbacks all = {.size = sizeof all,
                                 .user = seen,
                                 .on_begin = on_begin,
                                 .on_epoch = on_epoch,
                                 .on_note = on_note,
                                 .stop = stop};
  seen->thread = pthread_self();
  return all;
}

static coppice_status train_with(const coppice_callbacks* callbacks, coppice_result** result) {
  coppice_table* table = ring();
  coppice_options* options = quick();
  const coppice_status status = coppice_train(table, options, callbacks, result);
  coppice_options_free(options);
  coppice_table_free(table);
  return status;
}

static void all_are_called_in_this_thread(void) {
  Seen seen = {0};
  const coppice_callbacks all = all_to(&seen);
  coppice_result* result = NULL;
  NEED(train_with(&all, &result));
  CHECK(seen.begins == 1 && seen.stops > 0 && !seen.other_thread);
  CHECK((size_t)seen.epochs == coppice_result_epochs(result));
  coppice_result_free(result);
}

static void a_callback_ends_everything(void) {
  Seen at_begin = {.end_at_begin = 1}, later = {.end_after = 3};
  coppice_callbacks all = all_to(&at_begin);
  coppice_result* result = NULL;
  FAILS(train_with(&all, &result), COPPICE_INTERRUPTED, "a callback asked to stop");
  CHECK(result == NULL);
  CHECK(at_begin.begins == 1 && at_begin.epochs == 0);
  all = all_to(&later);
  FAILS(train_with(&all, &result), COPPICE_INTERRUPTED, "a callback asked to stop");
  CHECK(result == NULL);
  CHECK(later.epochs == 3);
}

static int always(void* user) {
  (void)user;
  return 1;
}

static void stop_ends_with_the_nets_as_they_are(void) {
  Seen seen = {.stop_after = 3};
  coppice_callbacks all = all_to(&seen);
  const coppice_callbacks at_once = {.size = sizeof at_once, .stop = always};
  coppice_table* table = ring();
  coppice_options* options = quick();
  coppice_result* result = NULL;
  coppice_model* model = NULL;
  set(options, "max-epochs", "100000");
  set(options, "patience", "100000");
  NEED(coppice_train(table, options, &all, &result));
  CHECK(coppice_result_stopped(result));
  NEED(coppice_result_model(result, COPPICE_NO_NET, &model));
  coppice_model_free(model);
  coppice_result_free(result);
  FAILS(coppice_train(table, options, &at_once, &result), COPPICE_INTERRUPTED, "stop");
  CHECK(result == NULL);
  coppice_options_free(options);
  coppice_table_free(table);
}

static int never_to_be_called(void* user) {
  (void)user;
  CHECK(!"a member beyond the size was read");
  return 1;
}

static void members_beyond_the_size_are_not_read(void) {
  Seen seen = {0};
  coppice_callbacks all = all_to(&seen);
  coppice_result* result = NULL;
  all.stop = never_to_be_called;
  all.size = offsetof(coppice_callbacks, stop);
  NEED(train_with(&all, &result));
  coppice_result_free(result);
  CHECK(seen.epochs > 0);
  all.size += 3; /* half a member is none */
  NEED(train_with(&all, &result));
  coppice_result_free(result);
  all.size = 0;
  FAILS(train_with(&all, &result), COPPICE_BAD_INPUT, "size in the callbacks is not set");
}

/* A later version's struct has members that this library does not know of. */
static void a_larger_struct_is_taken(void) {
  struct {
    coppice_callbacks known;
    void* later;
  } all;
  Seen seen = {0};
  coppice_result* result = NULL;
  all.known = all_to(&seen);
  all.known.size = sizeof all;
  all.later = &all;
  NEED(train_with(&all.known, &result));
  CHECK(seen.epochs > 0);
  coppice_result_free(result);
}

void test_callbacks(void) {
  all_are_called_in_this_thread();
  a_callback_ends_everything();
  stop_ends_with_the_nets_as_they_are();
  members_beyond_the_size_are_not_read();
  a_larger_struct_is_taken();
}
