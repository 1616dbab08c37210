#include "coppice/api/teach.h"

#include "coppice/analysis/answers.h"
#include "coppice/analysis/importance.h"
#include "coppice/core/random.h"
#include "coppice/data/keep_columns.h"
#include "coppice/data/made_rows.h"
#include "coppice/model/parts.h"
#include "coppice/model/predict.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace coppice {

namespace {

constexpr std::uint32_t lesson_stream = 4;  ///< of splits: others are in prepare.cpp
constexpr double least_share = 0.01;        ///< of a row's answers, that is worth a copy of it
constexpr double deciding_share = 0.1;
constexpr float real_weight = 3;  ///< of a row of the table, in made-up ones

std::size_t made_rows(std::size_t rows) {
  constexpr std::size_t per_row = 5;
  constexpr std::size_t enough = 5'000;
  return std::min(per_row * rows, std::max(rows, enough));
}

/// 0, 1, 2, ...
std::vector<std::uint32_t> counted(std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

/// The table's rows and then those made of pairs of them, without answers.
Dataset questions(ThreadPool& pool, const PreparedData& data, std::uint64_t seed) {
  const EncodedTables& plain = data.tables(true);
  const std::vector<InputGroup> near_by = inputs_of(column_groups(plain.encoding));
  const std::vector<InputGroup> columns = inputs_of(column_groups(data.encoding));
  const Matrix<float> rows = inputs_of(data.train, data.rows);
  const std::vector<std::uint32_t> all = counted(rows.rows());
  const std::vector<RowPair> pairs = near_pairs(pool, data.plain ? inputs_of(plain.train, data.rows) : rows,
                                                all, near_by, made_rows(all.size()), seed);
  const Matrix<float> made = mixed_rows(rows, pairs, columns, seed);
  Dataset asked{.inputs = Matrix<float>::packed(all.size() + made.rows(), made.cols()),
                .labels = {},
                .targets = {},
                .weights = {}};
  const auto own = [&](std::uint32_t row) {
    return data.train.weights.empty() ? 1.0F : data.train.weights[data.rows[row]];
  };
  for (const std::uint32_t i : all) {
    std::ranges::copy(rows.row(i), asked.inputs[i]);
    asked.weights.push_back(real_weight * own(i));
  }
  for (std::size_t i = 0; i < made.rows(); ++i) {
    std::ranges::copy(made.row(i), asked.inputs[all.size() + i]);
    asked.weights.push_back(own(pairs[i].first));
  }
  return asked;
}

/// One of a row's answers.
struct Copy {
  std::uint32_t row = 0;
  std::uint32_t label = 0;
  float share = 1;
};

/// The answers that count, with shares that add up to 1.
std::vector<Copy> copies_of(const Matrix<float>& scores, double temperature) {
  std::vector<Copy> copies;
  std::vector<double> shares(scores.cols());
  for (std::size_t row = 0; row < scores.rows(); ++row) {
    probabilities(scores.row(row), temperature, shares);
    double sum = 0;
    for (const double share : shares) sum += share < least_share ? 0 : share;
    for (std::size_t label = 0; label < shares.size(); ++label) {
      if (shares[label] < least_share) continue;
      copies.push_back({.row = static_cast<std::uint32_t>(row),
                        .label = static_cast<std::uint32_t>(label),
                        .share = static_cast<float>(shares[label] / sum)});
    }
  }
  return copies;
}

/// Answers as labels and weights of copies, or as numbers.
Dataset answered(const Dataset& asked, const Matrix<float>& scores, const std::vector<Copy>& copies,
                 bool classes) {
  Dataset known{.inputs = Matrix<float>::packed(copies.size(), asked.inputs.cols()),
                .labels = {},
                .targets = {},
                .weights = {}};
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const Copy& copy = copies[i];
    std::ranges::copy(asked.inputs.row(copy.row), known.inputs[i]);
    if (classes)
      known.labels.push_back(copy.label);
    else
      known.targets.push_back(scores(copy.row, 0));
    known.weights.push_back(copy.share * asked.weights[copy.row]);
  }
  return known;
}

/// Copies of a row are all to learn from, or all decide.
void split(PreparedData& lessons, const std::vector<Copy>& copies, std::size_t asked, std::uint64_t seed) {
  std::vector<std::uint32_t> order = counted(asked);
  Random random(seed, Purpose::split, lesson_stream);
  random.shuffle(order);
  std::vector<bool> decides(asked);
  const auto deciding = static_cast<std::size_t>(deciding_share * static_cast<double>(asked));
  for (std::size_t i = 0; i < deciding; ++i) decides[order[i]] = true;
  for (std::uint32_t i = 0; i < copies.size(); ++i)
    (decides[copies[i].row] ? lessons.validation_rows : lessons.rows).push_back(i);
  random.shuffle(lessons.rows);
}

}  // namespace

std::size_t lesson_rows(std::size_t rows) {
  return static_cast<std::size_t>((1 - deciding_share) * static_cast<double>(rows + made_rows(rows)));
}

PreparedData lessons(ThreadPool& pool, const PreparedData& data, const Model& ensemble, std::uint64_t seed) {
  const Dataset asked = questions(pool, data, seed);
  const std::vector<std::uint32_t> plain_inputs = data.encoding.plain_inputs();
  const bool with_bins = ensemble.parts().encoding.has_bins() == data.encoding.has_bins();
  const Matrix<float> scores =
      ask(pool, ensemble.folded(), with_bins ? asked : keep_inputs(asked, plain_inputs),
          counted(asked.rows()))
          .scores;
  const bool classes = data.classes() > 0;
  std::vector<Copy> copies;
  if (classes) {
    copies = copies_of(scores, ensemble.temperature());
  } else {
    for (const std::uint32_t row : counted(asked.rows())) copies.push_back({.row = row});
  }
  PreparedData lessons;
  lessons.encoding = data.encoding;
  lessons.train = answered(asked, scores, copies, classes);
  if (data.plain) {
    EncodedTables& plain = lessons.plain.emplace();
    plain.encoding = data.plain->encoding;
    plain.train = keep_inputs(lessons.train, plain_inputs);
  }
  lessons.summary = data.summary;
  lessons.first_seed = data.first_seed;
  split(lessons, copies, asked.rows(), seed);
  return lessons;
}

MeasuredNet take_exam(ThreadPool& pool, const PreparedData& lessons, const Model& ensemble, Metric metric) {
  const Dataset& rows = lessons.tables(!ensemble.parts().encoding.has_bins()).train;
  const Answers answers = ask(pool, ensemble.folded(), rows, lessons.validation_rows);
  return measured(ensemble, answers, answers.metrics(ensemble.parts(), metric), metric);
}

MeasuredNet graduated(ThreadPool& pool, MeasuredNet measured, const Teacher& teacher,
                      const PreparedData& data) {
  const MeasuredNet& ensemble = teacher.ensemble;
  const MeasuredNet& exam = teacher.exam;
  const auto with_loss = [](double known, double own, double best) {
    return known + std::max(0.0, own - best);
  };
  ModelParts parts = measured.model.parts();
  parts.conformity = ensemble.model.parts().conformity;
  parts.origin.train_rows = ensemble.model.origin().train_rows;
  parts.origin.validation_rows = ensemble.model.origin().validation_rows;
  measured.validation_error =
      with_loss(ensemble.validation_error, measured.validation_error, exam.validation_error);
  measured.standard_error = ensemble.standard_error;
  if (ensemble.log_loss)
    measured.log_loss = with_loss(*ensemble.log_loss, *measured.log_loss, *exam.log_loss);
  measured.log_loss_deviation = ensemble.log_loss_deviation;
  measured.criterion = with_loss(ensemble.criterion, measured.criterion, exam.criterion);
  measured.criterion_deviation = ensemble.criterion_deviation;
  parts.origin.validation_error = measured.validation_error;
  if (data.has_test()) {
    const Dataset& test = data.tables(!parts.encoding.has_bins()).test_set();
    parts.origin.test_error =
        ask(pool, measured.model.folded(), test, data.all_test_rows()).metrics(parts, Metric::error).error;
  }
  measured.test_error = parts.origin.test_error;
  measured.model = Model(std::move(parts));
  return measured;
}

}  // namespace coppice
