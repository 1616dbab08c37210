#include "coppice/core/random.h"
#include "coppice/device/cuda/capnorm.h"
#include "coppice/device/cuda/product.h"
#include "coppice/network/cuda/device_dataset.h"

#include "benchmarks/cuda/measure.h"

#include <functional>
#include <span>

namespace coppice {

namespace {

using namespace cuda;

std::vector<float> numbers(std::size_t count) {
  std::vector<float> values;
  Random random(1, Purpose::generator);
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(random.uniform() - 0.5));
  return values;
}

Array<float> random_array(std::size_t count, const Stream& stream) {
  return uploaded(std::span<const float>(numbers(count)), stream);
}

double repeated(const Stream& stream, const std::function<void()>& enqueue) {
  constexpr int times = 50;
  const Graph graph(stream, [&] {
    for (int i = 0; i < times; ++i) enqueue();
  });
  graph.launch(stream);
  stream.wait();
  return spread_of({seconds([&] {
                      graph.launch(stream);
                      stream.wait();
                    }),
                    seconds([&] {
                      graph.launch(stream);
                      stream.wait();
                    }),
                    seconds([&] {
                      graph.launch(stream);
                      stream.wait();
                    })})
             .median /
         times;
}

}  // namespace

std::vector<Part> step_parts(const Workload& work, std::size_t nets, Precision precision) {
  const Stream stream;
  const auto batch = static_cast<int>(work.batch);
  const std::size_t samples = padded(work.batch, 32);
  const auto inputs = static_cast<int>(work.inputs());
  const std::size_t stride = row_stride(work.inputs());
  const auto units = static_cast<int>(work.widths[1]);
  const auto above = static_cast<int>(work.widths[2]);
  const std::size_t capacity = padded(work.widths[1], 32);
  const std::size_t rows = std::min<std::size_t>(work.rows, 60000);
  const Array<float> data = random_array(rows * stride, stream);
  const Array<float> weights = random_array(nets * capacity * stride, stream);
  const Array<float> second = random_array(nets * padded(work.widths[2], 32) * capacity, stream);
  const Array<float> z = random_array(nets * capacity * samples, stream);
  const Array<float> x = random_array(nets * capacity * samples, stream);
  const Array<float> g = random_array(nets * capacity * samples, stream);
  const Array<float> small = random_array(nets * padded(work.widths[2], 32) * samples, stream);
  const Array<float> mean(nets * capacity);
  const Array<float> divisor(nets * capacity);
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> first;
  Random random(2, Purpose::generator);
  for (std::size_t i = 0; i < nets; ++i) {
    first.push_back(static_cast<std::uint32_t>(order.size()));
    for (std::size_t r = 0; r < work.batch; ++r)
      order.push_back(static_cast<std::uint32_t>(random.below(rows)));
  }
  const Array<std::uint32_t> device_order = uploaded(std::span<const std::uint32_t>(order), stream);
  const Array<std::uint32_t> device_first = uploaded(std::span<const std::uint32_t>(first), stream);
  const Extent m{nullptr, units};
  const Extent n{nullptr, batch};
  const Matrices picked{.data = data.data(),
                        .net_stride = 0,
                        .stride = static_cast<int>(stride),
                        .pick = {device_order.data(), device_first.data()}};
  const auto activations = [&](const Array<float>& of, std::size_t cap) {
    return Matrices{.data = of.data(), .net_stride = cap * samples, .stride = static_cast<int>(samples)};
  };
  const Product forward{
      .a = {.data = weights.data(), .net_stride = capacity * stride, .stride = static_cast<int>(stride)},
      .op_b = Op::transposed,
      .b = picked,
      .c = z.data(),
      .c_net_stride = capacity * samples,
      .c_stride = static_cast<int>(samples),
      .m = m,
      .n = n,
      .k = {nullptr, inputs}};
  const Product gradient{.a = activations(g, capacity),
                         .b = picked,
                         .c = weights.data(),
                         .c_net_stride = capacity * stride,
                         .c_stride = static_cast<int>(stride),
                         .m = m,
                         .n = {nullptr, inputs},
                         .k = n};
  const std::size_t above_capacity = padded(work.widths[2], 32);
  const Product upper{.a = {.data = second.data(),
                            .net_stride = above_capacity * capacity,
                            .stride = static_cast<int>(capacity)},
                      .b = activations(x, capacity),
                      .c = small.data(),
                      .c_net_stride = above_capacity * samples,
                      .c_stride = static_cast<int>(samples),
                      .m = {nullptr, above},
                      .n = n,
                      .k = m};
  const Product down{.op_a = Op::transposed,
                     .a = {.data = second.data(),
                           .net_stride = above_capacity * capacity,
                           .stride = static_cast<int>(capacity)},
                     .b = activations(small, above_capacity),
                     .c = g.data(),
                     .c_net_stride = capacity * samples,
                     .c_stride = static_cast<int>(samples),
                     .m = m,
                     .n = n,
                     .k = {nullptr, above}};
  const Product upper_gradient{.a = activations(small, above_capacity),
                               .op_b = Op::transposed,
                               .b = activations(x, capacity),
                               .c = second.data(),
                               .c_net_stride = above_capacity * capacity,
                               .c_stride = static_cast<int>(capacity),
                               .m = {nullptr, above},
                               .n = m,
                               .k = n};
  const UnitRows norm{.z = z.data(),
                      .x = x.data(),
                      .mean = mean.data(),
                      .divisor = divisor.data(),
                      .net_stride = capacity * samples,
                      .stride = static_cast<int>(samples),
                      .unit_stride = capacity,
                      .units = m,
                      .samples = n};
  const double first_operations = 2.0 * static_cast<double>(nets) * units * batch * inputs;
  const double second_operations = 2.0 * static_cast<double>(nets) * units * batch * above;
  const double row_bytes = 4.0 * static_cast<double>(nets) * units * batch;
  const auto time_of = [&](Product p, int columns) {
    p.load = {.nets = static_cast<int>(nets), .columns = columns};
    return repeated(stream, [&] { product(p, nets, precision, stream); });
  };
  return {
      {"first layer forward", time_of(forward, batch), first_operations, 0},
      {"first layer gradient", time_of(gradient, inputs), first_operations, 0},
      {"second layer forward", time_of(upper, batch), second_operations, 0},
      {"second layer backward", time_of(down, batch), second_operations, 0},
      {"second layer gradient", time_of(upper_gradient, 1), second_operations, 0},
      {"CapNorm forward", repeated(stream, [&] { capnorm_forward(norm, nets, stream); }), 0, 3 * row_bytes},
      {"CapNorm backward", repeated(stream, [&] { capnorm_backward(norm, g.data(), nets, stream); }), 0,
       3 * row_bytes}};
}

}  // namespace coppice
