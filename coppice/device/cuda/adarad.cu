// AdaRad: a warp per unit.
#include "coppice/device/cuda/adarad.cuh"
#include "coppice/device/cuda/launch.cuh"

namespace coppice::cuda {

namespace {

__global__ void measure_kernel(const AdaRadStep s) {
  begin_kernel();
  const Working at = working(s.all);
  if (!at.any) return;
  const FanIns& layer = s.all.layers[at.place.layer];
  if (layer.died[at.unit] != alive) {
    layer.ends[at.unit] = 0;
    return;
  }
  note_dots(s, at, layer, dots_of(layer, at, extent_of(layer.inputs, at.net)));
}

__global__ void move_kernel(const AdaRadStep s) {
  begin_kernel();
  note_largest(s);
  const Working at = working(s.all);
  if (!at.any) return;
  const FanIns& layer = s.all.layers[at.place.layer];
  const int now = *s.all.first_step + s.all.step;
  if (layer.died[at.unit] != alive) return;
  const UnitNumbers numbers = numbers_of(s, at, layer, now);
  note_step(s, at, layer.dots[at.unit], numbers.scale * sqrt(angular_square(layer.dots[at.unit])),
            numbers.sizes);
  RowScale scale = adarad_unit_step(layer.dots[at.unit], numbers.scale, numbers.sizes);
  if (numbers.dies) scale = {0, 0};
  const int inputs = extent_of(layer.inputs, at.net);
  combine(layer.weights + at.row, layer.gradient + at.row, inputs, scale);
  for_ended_inputs(s.all, at, inputs, now, [&](int i) { layer.weights[at.row + i] = 0; });
  __syncwarp();
  if (numbers.dies && lane() == 0) layer.died[at.unit] = now;
}

}  // namespace

void adarad(const AdaRadStep& step, std::size_t nets, const Stream& stream) {
  const Blocks blocks{grid_of(step.all, nets), warps * warp_size};
  launch_kernel(measure_kernel, blocks, stream, "AdaRad", step);
  launch_kernel(move_kernel, blocks, stream, "AdaRad", step);
}

}  // namespace coppice::cuda
