#include "coppice/data/input_packer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

namespace coppice {

namespace {

/// What all numbers of a column have in common.
struct NumberFacts {
  bool whole = true;  ///< and below 2^22; -0 is not, as it is another float than 0
  bool missing = false;
  float least = std::numeric_limits<float>::infinity();
  float greatest = -std::numeric_limits<float>::infinity();

  void add(std::span<const float> numbers) {
    constexpr float rounding = 12'582'912;  // 1.5 * 2^23: adding it leaves whole numbers
    bool others = false;
    for (const float x : numbers) {
      const bool there = x == x;
      others |= (there && (x + rounding) - rounding != x) || std::bit_cast<std::uint32_t>(x) == 0x8000'0000;
      missing |= !there;
      least = std::min(least, there ? x : least);
      greatest = std::max(greatest, there ? x : greatest);
    }
    whole = whole && !others;
  }
  /// All from the least to the greatest have one, and so have missing ones.
  double codes() const { return least > greatest ? 1 : static_cast<double>(greatest) - least + 2; }
};

/// Stops where a column of codes for `most` whole numbers is out of the question.
NumberFacts facts_of(const Column& column, double base, std::size_t rows, std::size_t most) {
  std::array<float, 4096> numbers{};
  NumberFacts facts;
  expect_cells(column);
  for (std::size_t row = 0; row < rows && facts.whole && !(facts.codes() > static_cast<double>(most));
       row += numbers.size()) {
    const std::span<float> some = std::span(numbers).first(std::min(numbers.size(), rows - row));
    column.numbers(row, some, base);
    facts.add(some);
  }
  return facts;
}

/// Of a column that has no more different numbers than that; else nothing.
std::shared_ptr<const DistinctNumbers> codes_of(const Column& column, double base, std::size_t rows,
                                                std::size_t most) {
  std::array<float, 4096> numbers{};
  auto codes = std::make_shared<DistinctNumbers>();
  expect_cells(column);
  for (std::size_t row = 0; row < rows; row += numbers.size()) {
    const std::span<float> some = std::span(numbers).first(std::min(numbers.size(), rows - row));
    column.numbers(row, some, base);
    if (!codes->add(some, most)) return nullptr;
  }
  return codes;
}

/// So many codes of a column with `width` inputs: the tables of all columns stay in the processor's cache.
std::size_t most_worth(std::size_t width, std::size_t columns) {
  constexpr std::size_t cached = 1U << 18U;
  return std::clamp(cached / (width * columns), std::size_t{256}, DistinctNumbers::most);
}

/// A table of numbers is worth it up to a sixteenth of the bytes that their codes save.
std::size_t most_listed(std::size_t rows, std::size_t width) {
  const std::size_t bytes = width * sizeof(float);
  return rows * (bytes - sizeof(std::uint16_t)) / (16 * bytes);
}

}  // namespace

InputPacker::InputPacker(ThreadPool& pool, const InputEncoder& encoder, const Table& table, Codes codes)
    : encoder_(encoder), fields_(encoder.steps().size()) {
  pool.parallel_for(fields_.size(), [&](std::size_t f) {
    fields_[f] = field_of(encoder.steps()[f], table.rows(), codes);
    release_cells(table);
  });
  for (std::size_t f = 0; f < fields_.size(); ++f) add_field(encoder.steps()[f], fields_[f]);
}

InputPacker::Field InputPacker::field_of(const InputEncoder::Step& step, std::size_t rows,
                                         Codes codes) const {
  using Kind = Field::Kind;
  std::size_t most = codes == Codes::all ? most_worth(step.width, fields_.size()) : 256;
  if (step.column == nullptr) return {.kind = Kind::zeros};
  if (step.texts) return {.kind = Kind::category};
  most = std::min(most, RowFormat::most_codes / step.width);
  const NumberFacts facts = facts_of(*step.column, step.input->base, rows, std::max<std::size_t>(most, 256));
  const bool scaled = step.width == 1 && !step.input->squash.used();
  if (facts.whole && scaled && !facts.missing && facts.least >= 0 && facts.greatest <= 255)
    return {.kind = Kind::byte};
  if (facts.whole && facts.codes() <= static_cast<double>(most))
    return {.kind = Kind::whole, .least = facts.least, .codes = static_cast<std::size_t>(facts.codes())};
  const std::size_t texts = step.column->texts.size();
  if (step.column->storage == Column::Storage::codes && texts + 1 <= most)
    return {.kind = Kind::code, .codes = texts + 1};
  if (codes == Codes::bytes) return {};
  auto numbers =
      codes_of(*step.column, step.input->base, rows, std::min(most, most_listed(rows, step.width)));
  if (!numbers) return {};
  const std::size_t count = numbers->numbers().size();
  return {.kind = Kind::listed, .numbers = std::move(numbers), .codes = count};
}

void InputPacker::add_field(const InputEncoder::Step& step, const Field& field) {
  std::vector<float> numbers(field.codes);
  switch (field.kind) {
    case Field::Kind::floats:
      format_.add_floats(step.width);
      return;
    case Field::Kind::byte:
      format_.add_byte(encoder_.offset(step.first), encoder_.factor(step.first));
      return;
    case Field::Kind::category:
      format_.add_category(encoder_.zeros(step), encoder_.ones(step));
      return;
    case Field::Kind::zeros:
      format_.add_codes({encoder_.zeros(step).data(), 1, step.width, step.width});
      return;
    case Field::Kind::whole:
      for (std::size_t code = 0; code < field.codes; ++code)
        numbers[code] = field.least + static_cast<float>(code);
      break;
    case Field::Kind::listed:
      break;
    case Field::Kind::code:
      for (std::size_t code = 0; code + 1 < field.codes; ++code)
        numbers[code] = static_cast<float>(step.column->values[code] - step.input->base);
      break;
  }
  if (field.kind == Field::Kind::listed)
    numbers = field.numbers->numbers();
  else
    numbers.back() = not_a_number;
  std::vector<float> table;
  for (std::size_t code = 0; code < field.codes; ++code)
    std::ranges::copy(encoder_.zeros(step), std::back_inserter(table));
  const View<float> inputs{table.data(), field.codes, step.width, step.width};
  encoder_.encode_numbers(step, numbers, inputs);
  format_.add_codes(inputs);
}

void InputPacker::pack(std::size_t first, std::size_t count, std::byte* to) const {
  for (std::size_t f = 0; f < fields_.size(); ++f) pack(f, first, count, to);
}

void InputPacker::pack(std::size_t f, std::size_t first, std::size_t count, std::byte* to) const {
  const InputEncoder::Step& step = encoder_.steps()[f];
  const Field& field = fields_[f];
  const std::size_t size = format_.bytes();
  std::array<float, InputEncoder::most_rows> numbers{};
  const std::span<float> some = std::span(numbers).first(count);
  switch (field.kind) {
    case Field::Kind::floats: {
      std::vector<float> own;
      for (std::size_t r = 0; r < count; ++r)
        std::ranges::copy(encoder_.zeros(step), std::back_inserter(own));
      encoder_.encode(step, first, {own.data(), count, step.width, step.width});
      for (std::size_t r = 0; r < count; ++r)
        std::memcpy(to + r * size + format_.place(f), own.data() + r * step.width,
                    step.width * sizeof(float));
      break;
    }
    case Field::Kind::byte:
      step.column->numbers(first, some, step.input->base);
      to += format_.place(f);
      for (std::size_t r = 0; r < count; ++r)
        to[r * size] = static_cast<std::byte>(static_cast<int>(numbers[r]));
      break;
    case Field::Kind::whole:
      step.column->numbers(first, some, step.input->base);
      for (std::size_t r = 0; r < count; ++r) {
        const float x = numbers[r];
        format_.put_code(f, std::isnan(x) ? field.codes - 1 : static_cast<std::size_t>(x - field.least),
                         to + r * size);
      }
      break;
    case Field::Kind::listed:
      step.column->numbers(first, some, step.input->base);
      for (std::size_t r = 0; r < count; ++r)
        format_.put_code(f, field.numbers->code(numbers[r]), to + r * size);
      break;
    case Field::Kind::code:
      for (std::size_t r = 0; r < count; ++r)
        format_.put_code(f, std::min<std::size_t>(step.column->code(first + r), field.codes - 1),
                         to + r * size);
      break;
    case Field::Kind::category:
      for (std::size_t r = 0; r < count; ++r) format_.put_code(f, step.slot(first + r), to + r * size);
      break;
    case Field::Kind::zeros:
      for (std::size_t r = 0; r < count; ++r) format_.put_code(f, 0, to + r * size);
      break;
  }
}

}  // namespace coppice
