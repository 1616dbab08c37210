#ifndef COPPICE_C_H
#define COPPICE_C_H

/*
 * Coppice from C, and from every language that can call C. C99, no C++ in it.
 *
 * - Objects are opaque handles; each is freed by its own coppice_..._free, which takes NULL too.
 * - Functions that can fail return a coppice_status. After anything but COPPICE_OK, coppice_last_error() tells this
 *   thread what was wrong: one sentence, names of settings between backquotes. Handles that it was to give are NULL then.
 * - NULL where something is needed, or an index of nothing, is such a failure; functions without a status give 0, NULL, or
 *   COPPICE_NO_NET for it, and "" as the data of a text.
 * - Texts are UTF-8 and end with a zero byte. Pointers that a handle hands out live as long as the handle.
 * - Structs begin with their size, set by the caller: libraries of later versions fill and read no more than that. One of
 *   size 0 is refused.
 * - A handle may be used by several threads at once as long as none of them changes or frees it.
 */

#include <stddef.h>
#include <stdint.h>

#if defined(COPPICE_C_STATIC) || !defined(__GNUC__)
#define COPPICE_C_API
#else
#define COPPICE_C_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming,modernize-use-using): names and types of C. */

/* Goes up when something is added; what was there stays as it is. */
#define COPPICE_C_VERSION 7

typedef enum coppice_status {
  COPPICE_OK = 0,
  COPPICE_BAD_INPUT = 1,
  COPPICE_BAD_OPTION = 2,
  COPPICE_FILE = 3,
  COPPICE_OUT_OF_MEMORY = 4,
  COPPICE_UNSUPPORTED = 5,
  COPPICE_INTERRUPTED = 6,
  COPPICE_INTERNAL = 7
} coppice_status;

typedef struct coppice_table coppice_table;
typedef struct coppice_growing_table coppice_growing_table;
typedef struct coppice_options coppice_options;
typedef struct coppice_result coppice_result;
typedef struct coppice_training coppice_training;
typedef struct coppice_model coppice_model;
typedef struct coppice_prediction coppice_prediction;
typedef struct coppice_explanation coppice_explanation;
typedef struct coppice_text coppice_text; /* a text, or bytes, that the library made */

/* ---- The library ---- */

COPPICE_C_API const char* coppice_version(void); /* "0.1.0" */
COPPICE_C_API int coppice_c_version(void);       /* COPPICE_C_VERSION of the library that runs */

/* What the last failed call of this thread was about. Texts live until the thread's next failed call. */
typedef struct coppice_error {
  size_t size;
  coppice_status status;
  const char* message;
  const char* option; /* name of a setting; "" if it is about none */
  const char* column; /* name of a column; "" if it is about none */
  int64_t row;        /* from 0; -1 if it is about none */
} coppice_error;
COPPICE_C_API void coppice_last_error(coppice_error* error);

COPPICE_C_API const char* coppice_text_data(const coppice_text* text);
COPPICE_C_API size_t coppice_text_size(const coppice_text* text); /* without the zero byte at its end */
COPPICE_C_API void coppice_text_free(coppice_text* text);

/* ---- Tables: rows x named columns ---- */

COPPICE_C_API coppice_status coppice_table_new(coppice_table** table);
/* A row-major matrix, which is not copied and must stay as it is while the table, or options that hold it, are used.
 * `stride`: floats from one row to the next. `names` may be NULL. NaN is missing. */
COPPICE_C_API coppice_status coppice_table_matrix(const float* values, size_t rows, size_t columns,
                                                  size_t stride, const char* const* names,
                                                  coppice_table** table);
/* Reads a file, or a directory of the four MNIST files. `texts`: columns to be read as text, may be NULL. */
COPPICE_C_API coppice_status coppice_table_read(const char* path, const char* const* texts,
                                                size_t texts_count, coppice_table** table);
/* Columns are copied. `missing` has a byte per row that is not 0 where the cell is missing; it may be NULL. */
COPPICE_C_API coppice_status coppice_table_add_f32(coppice_table* table, const char* name,
                                                   const float* values, size_t rows, const uint8_t* missing);
COPPICE_C_API coppice_status coppice_table_add_f64(coppice_table* table, const char* name,
                                                   const double* values, size_t rows, const uint8_t* missing);
COPPICE_C_API coppice_status coppice_table_add_i64(coppice_table* table, const char* name,
                                                   const int64_t* values, size_t rows,
                                                   const uint8_t* missing);
/* A NULL text is missing, as are "", "NA" and the like. */
COPPICE_C_API coppice_status coppice_table_add_texts(coppice_table* table, const char* name,
                                                     const char* const* texts, size_t rows);
/* Codes into categories, from 0; a negative one is missing. */
COPPICE_C_API coppice_status coppice_table_add_codes(coppice_table* table, const char* name,
                                                     const int32_t* codes, size_t rows,
                                                     const char* const* categories, size_t categories_count);
/* The first height * width columns are pixels, row by row. */
COPPICE_C_API coppice_status coppice_table_set_image(coppice_table* table, size_t height, size_t width);
COPPICE_C_API size_t coppice_table_rows(const coppice_table* table);
COPPICE_C_API size_t coppice_table_columns(const coppice_table* table);
COPPICE_C_API void coppice_table_free(coppice_table* table);

/* A table whose rows come in batches. Each call puts cells at the end of the column of that name; the first one makes the
 * column, and the others must be of the same function. Nothing of the caller's is kept. In the end all columns must have
 * as many rows, and the table is what the same cells would have become at once. */

/* `options`: cells beyond a quarter of their `memory` lie in a scratch file. NULL: all of them lie in memory. */
COPPICE_C_API coppice_status coppice_growing_table_new(const coppice_options* options,
                                                       coppice_growing_table** table);
COPPICE_C_API coppice_status coppice_growing_table_add_f32(coppice_growing_table* table, const char* name,
                                                           const float* values, size_t rows,
                                                           const uint8_t* missing);
COPPICE_C_API coppice_status coppice_growing_table_add_f64(coppice_growing_table* table, const char* name,
                                                           const double* values, size_t rows,
                                                           const uint8_t* missing);
COPPICE_C_API coppice_status coppice_growing_table_add_i64(coppice_growing_table* table, const char* name,
                                                           const int64_t* values, size_t rows,
                                                           const uint8_t* missing);
COPPICE_C_API coppice_status coppice_growing_table_add_texts(coppice_growing_table* table, const char* name,
                                                             const char* const* texts, size_t rows);
/* Categories may be others each time: the column has all of them, in the order in which they first came. */
COPPICE_C_API coppice_status coppice_growing_table_add_codes(coppice_growing_table* table, const char* name,
                                                             const int32_t* codes, size_t rows,
                                                             const char* const* categories,
                                                             size_t categories_count);
/* The table, which takes the cells over: nothing can be added afterwards. */
COPPICE_C_API coppice_status coppice_growing_table_finish(coppice_growing_table* growing,
                                                          coppice_table** table);
COPPICE_C_API void coppice_growing_table_free(coppice_growing_table* table);

/* ---- Options: what is not set is decided from the data ---- */

/* All settings as a JSON array of {name, value, help, standard, list}. */
COPPICE_C_API coppice_status coppice_settings_json(coppice_text** json);

COPPICE_C_API coppice_status coppice_options_new(coppice_options** options);
/* Sets one by its name, from texts as a command line has them: "patience", "20"; lists with several. */
COPPICE_C_API coppice_status coppice_options_set(coppice_options* options, const char* name,
                                                 const char* const* values, size_t count);
/* What is set, as a JSON object. */
COPPICE_C_API coppice_status coppice_options_json(const coppice_options* options, coppice_text** json);
/* Rows to validate or test on ("validation", "test"), as a table of their own or by number. */
COPPICE_C_API coppice_status coppice_options_set_table(coppice_options* options, const char* name,
                                                       const coppice_table* table);
COPPICE_C_API coppice_status coppice_options_set_rows(coppice_options* options, const char* name,
                                                      const uint32_t* rows, size_t count);
COPPICE_C_API coppice_status coppice_options_set_warm_start(coppice_options* options,
                                                            const coppice_model* model);
COPPICE_C_API void coppice_options_free(coppice_options* options);

/* ---- Training ---- */

/* One epoch of one net. Pointers live during the call. */
typedef struct coppice_epoch {
  size_t size;
  size_t net;
  size_t epoch;
  size_t steps;
  const char* phase;
  double train_loss;
  double validation_error;
  double lambda;
  const size_t* hidden_units;
  size_t hidden_layers;
  int running;         /* 0: this was the net's last */
  double waited;       /* epochs without success, */
  double patience;     /* and how many of them end the phase */
  double epochs_to_go; /* at least */
} coppice_epoch;

/* All of them are called in the thread that called the function they were handed to; each may be NULL. Those that return
 * an int end everything with COPPICE_INTERRUPTED if it is not 0. `stop` returns not 0 to end the training with the nets as
 * they are. */
typedef struct coppice_callbacks {
  size_t size;
  void* user; /* handed to each of them */
  int (*on_begin)(void* user, const char* info_json);
  int (*on_epoch)(void* user, const coppice_epoch* epoch);
  int (*on_note)(void* user, const char* note);
  int (*stop)(void* user);
} coppice_callbacks;

/* `callbacks` may be NULL. */
COPPICE_C_API coppice_status coppice_train(const coppice_table* table, const coppice_options* options,
                                           const coppice_callbacks* callbacks, coppice_result** result);

/* The same by several: threads, processes, machines (since version 5). Each of them makes a training of the same table and
 * options, trains nets that wait and hands them on as bytes; all take all nets, and then the same ones wait next. When none
 * waits, whoever has taken them all can finish: the models are those of coppice_train, byte for byte, on processors of one
 * kind. The table is to live as long as the training. */
COPPICE_C_API coppice_status coppice_training_new(const coppice_table* table, const coppice_options* options,
                                                  const coppice_callbacks* callbacks,
                                                  coppice_training** training);
/* How many nets wait, and which: `index` from 0, COPPICE_NO_NET beyond the last. */
COPPICE_C_API size_t coppice_training_waiting(const coppice_training* training);
COPPICE_C_API size_t coppice_training_net(const coppice_training* training, size_t index);
/* Trains one of them; changes nothing, so that several threads may train different ones at once. `threads`: 0 as the options
 * say. Of the callbacks, on_begin and on_note are not called; `stop` gives COPPICE_INTERRUPTED. */
COPPICE_C_API coppice_status coppice_training_train(const coppice_training* training, size_t net,
                                                    size_t threads, const coppice_callbacks* callbacks,
                                                    coppice_text** trained);
/* Takes a net that was trained here or elsewhere, and tells its epochs; one that was taken before changes nothing. */
COPPICE_C_API coppice_status coppice_training_take(coppice_training* training, const void* trained,
                                                   size_t size, const coppice_callbacks* callbacks);
/* The last call. While nets wait the result is that of a training that was stopped. */
COPPICE_C_API coppice_status coppice_training_finish(coppice_training* training,
                                                     const coppice_callbacks* callbacks,
                                                     coppice_result** result);
COPPICE_C_API void coppice_training_free(coppice_training* training);

/* The same around a directory: journal, checkpoints, models, summary, as `coppice train` writes them. `data` is a file.
 * `stop` then leaves a run that can be resumed, and gives COPPICE_INTERRUPTED. */
COPPICE_C_API coppice_status coppice_run_train(const char* data, const coppice_options* options,
                                               const char* directory, const coppice_callbacks* callbacks,
                                               coppice_result** result);
COPPICE_C_API coppice_status coppice_run_resume(const char* directory, const coppice_callbacks* callbacks,
                                                coppice_result** result);

/* The same on a table in memory (since version 2). The directory keeps checksums of the rows and of what the options hold
 * (tables, rows, a model), not them: to resume, hand in the same again. `options` may then be NULL, which is: the settings of
 * the run, if it had nothing in memory but the table. Such a run cannot be resumed by `coppice train --resume`. */
COPPICE_C_API coppice_status coppice_run_train_table(const coppice_table* table,
                                                     const coppice_options* options, const char* directory,
                                                     const coppice_callbacks* callbacks,
                                                     coppice_result** result);
COPPICE_C_API coppice_status coppice_run_resume_table(const char* directory, const coppice_table* table,
                                                      const coppice_options* options,
                                                      const coppice_callbacks* callbacks,
                                                      coppice_result** result);

/* Writes the report of a run that has ended, one HTML page in its directory, and tells its path (since version 4). */
COPPICE_C_API coppice_status coppice_run_report(const char* directory, coppice_text** path);

#define COPPICE_NO_NET ((size_t)-1)

/* What one net came to; not a number where there is none. */
typedef struct coppice_net {
  size_t size;
  double lambda;
  uint64_t seed;
  const size_t* hidden_units;
  size_t hidden_layers;
  size_t parameters;
  size_t bytes;
  double train_loss;
  double validation_error;
  double standard_error;
  double test_error;
  size_t epochs;
  const char* phase;
  int dominated;
  size_t fold; /* of an ensemble, since version 4: that the net validated on */
  const size_t*
      members; /* indices of the nets that answer together as this one; none if it is a net by itself */
  size_t member_count;
  double log_loss; /* of classes, on the validation rows */
} coppice_net;

COPPICE_C_API size_t coppice_result_nets(const coppice_result* result);
COPPICE_C_API coppice_status coppice_result_net(const coppice_result* result, size_t index, coppice_net* net);
COPPICE_C_API size_t coppice_result_best(const coppice_result* result);
COPPICE_C_API size_t
coppice_result_chosen(const coppice_result* result); /* COPPICE_NO_NET: none fits the budget */
/* The net that another rule would choose ("best", "smallest", "knee") under another budget, 0 for none (since version 4).
 * COPPICE_BAD_OPTION if none fits. */
COPPICE_C_API coppice_status coppice_result_pick(const coppice_result* result, const char* rule,
                                                 size_t max_parameters, size_t max_bytes, size_t* net);
COPPICE_C_API int coppice_result_stopped(const coppice_result* result);
/* Nets, notes, warnings, options as they were decided, time: everything but the models and the history. */
COPPICE_C_API coppice_status coppice_result_json(const coppice_result* result, coppice_text** json);
/* Every epoch of every net as they ended; after a run in a directory (since version 4), those of its journal. */
COPPICE_C_API size_t coppice_result_epochs(const coppice_result* result);
COPPICE_C_API coppice_status coppice_result_epoch(const coppice_result* result, size_t index,
                                                  coppice_epoch* epoch);
/* A net as a model: a handle of its own, to be freed. COPPICE_NO_NET: the chosen one. */
COPPICE_C_API coppice_status coppice_result_model(const coppice_result* result, size_t index,
                                                  coppice_model** model);
COPPICE_C_API void coppice_result_free(coppice_result* result);

/* Searches over sizes, steps, optimizers and normalisations of nets of fixed size. `space`: names and values in turn, as
 * `coppice search` takes them ("trials", "20", "hidden", "10-200,5-100"). The summary comes as JSON, the best net as a model
 * (NULL if every net diverged). Of the callbacks, on_begin is not called; `stop` gives COPPICE_INTERRUPTED. */
COPPICE_C_API coppice_status coppice_search(const coppice_table* table, const char* kind,
                                            const char* const* space, size_t space_count,
                                            const coppice_options* options,
                                            const coppice_callbacks* callbacks, coppice_text** summary_json,
                                            coppice_model** model);

/* ---- Models ---- */

COPPICE_C_API coppice_status coppice_model_load(const char* path, coppice_model** model);
COPPICE_C_API coppice_status coppice_model_from_bytes(const void* bytes, size_t size, coppice_model** model);
COPPICE_C_API coppice_status coppice_model_bytes(const coppice_model* model, coppice_text** bytes);
COPPICE_C_API coppice_status coppice_model_save(const coppice_model* model, const char* path);
/* What it is and how it was made; `weights` not 0: with all that is needed to rebuild it. */
COPPICE_C_API coppice_status coppice_model_json(const coppice_model* model, int weights, coppice_text** json);
COPPICE_C_API void coppice_model_free(coppice_model* model);

/* A model for use without this library (since version 4). */
typedef struct coppice_export_options {
  size_t size;
  const char* name;               /* c: what all names begin with; NULL: model */
  int int8;                       /* c: not 0: in 8 bits */
  const coppice_table* calibrate; /* int8: rows such as those of training */
  const char* onnx_inputs;        /* onnx: columns or matrix; NULL: columns, but a matrix for images */
  const char* onnx_texts;         /* onnx: strings or codes; NULL: strings */
  size_t onnx_opset;              /* onnx, since version 6: 13 to 17; 0: 13 */
} coppice_export_options;

/* `format`: json, c or onnx; `options` may be NULL. */
COPPICE_C_API coppice_status coppice_model_export(const coppice_model* model, const char* format,
                                                  const coppice_export_options* options, coppice_text** text);

typedef struct coppice_predict_options {
  size_t size;
  size_t threads; /* at most; 0: as many as there are */
  int cuda;       /* not 0: on the GPU */
  double
      threshold; /* of two classes: the second, or `positive`, is answered where its probability is at least so
                       much; 0: the more likely one is */
  const char* positive; /* a class; NULL: the second */
  double
      interval; /* since version 4: says where the target lies, right for this share of rows; 0: does not */
} coppice_predict_options;

/* `options` may be NULL. */
COPPICE_C_API coppice_status coppice_model_predict(const coppice_model* model, const coppice_table* table,
                                                   const coppice_predict_options* options,
                                                   coppice_prediction** prediction);
/* Error, log-loss, confusion and the like on a table with the answers, as JSON. */
COPPICE_C_API coppice_status coppice_model_evaluate(const coppice_model* model, const coppice_table* table,
                                                    const coppice_predict_options* options,
                                                    coppice_text** json);

/* Classes, probabilities and values are NULL where the model predicts the other. */
COPPICE_C_API size_t coppice_prediction_rows(const coppice_prediction* prediction);
COPPICE_C_API size_t coppice_prediction_class_count(const coppice_prediction* prediction); /* 0: numbers */
COPPICE_C_API const char* coppice_prediction_class_name(const coppice_prediction* prediction, size_t index);
COPPICE_C_API const uint32_t* coppice_prediction_classes(
    const coppice_prediction* prediction); /* one per row */
COPPICE_C_API const double* coppice_prediction_probabilities(
    const coppice_prediction* prediction);                                                   /* row by row */
COPPICE_C_API const double* coppice_prediction_values(const coppice_prediction* prediction); /* one per row */
/* With `interval`, else NULL (since version 4): bounds of numbers, one per row; of classes, row by row, 1 for each that is in
 * the row's set and 0 for the others. */
COPPICE_C_API const double* coppice_prediction_lower(const coppice_prediction* prediction);
COPPICE_C_API const double* coppice_prediction_upper(const coppice_prediction* prediction);
COPPICE_C_API const uint8_t* coppice_prediction_sets(const coppice_prediction* prediction);
COPPICE_C_API size_t coppice_prediction_warning_count(const coppice_prediction* prediction);
COPPICE_C_API const char* coppice_prediction_warning(const coppice_prediction* prediction, size_t index);
COPPICE_C_API void coppice_prediction_free(coppice_prediction* prediction);

/* What the columns of a table contribute to what a model says about its rows (since version 3): for each row, baseline + the
 * sum of its contributions = score. */
typedef struct coppice_explain_options {
  size_t size;
  size_t threads;         /* at most; 0: as many as there are */
  const char* class_name; /* whose score is explained; NULL: of each row the class that is predicted */
  const uint32_t* rows;   /* of the table, from 0; NULL: all */
  size_t row_count;
} coppice_explain_options;

/* `options` may be NULL. */
COPPICE_C_API coppice_status coppice_model_explain(const coppice_model* model, const coppice_table* table,
                                                   const coppice_explain_options* options,
                                                   coppice_explanation** explanation);
COPPICE_C_API size_t coppice_explanation_rows(const coppice_explanation* explanation);
COPPICE_C_API size_t coppice_explanation_column_count(const coppice_explanation* explanation);
COPPICE_C_API const char* coppice_explanation_column_name(const coppice_explanation* explanation,
                                                          size_t index);
COPPICE_C_API const double* coppice_explanation_contributions(
    const coppice_explanation* explanation); /* row by row */
COPPICE_C_API const double* coppice_explanation_baselines(
    const coppice_explanation* explanation); /* one per row */
COPPICE_C_API const double* coppice_explanation_scores(
    const coppice_explanation* explanation); /* one per row */
/* Whose scores they are, one per row; NULL for numbers. */
COPPICE_C_API const uint32_t* coppice_explanation_classes(const coppice_explanation* explanation);
COPPICE_C_API void coppice_explanation_free(coppice_explanation* explanation);

/* NOLINTEND(readability-identifier-naming,modernize-use-using) */

#ifdef __cplusplus
}
#endif

#endif
