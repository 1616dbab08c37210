// Charts over epochs: phases shaded, epochs that a rewind took back washed out, rewinds dashed.

const phaseColours = { grow: 'c3', settle: 'c4', polish: 'c1', anneal: 'c6' };

function phaseColour(name) {
  return phaseColours[name] || 'c5';
}

function timePlugin(time) {
  const span = (chart, from, to) => {
    const left = chart.scales.x.getPixelForValue(from);
    return [left, chart.scales.x.getPixelForValue(to) - left];
  };
  return {
    id: 'time',
    beforeDatasetsDraw(chart) {
      const { ctx, chartArea: { top, height } } = chart;
      for (const [from, to, name] of time.phases) {
        const [left, width] = span(chart, from, to);
        ctx.fillStyle = faded(phaseColour(name), 0.1);
        ctx.fillRect(left, top, width, height);
        ctx.fillStyle = colour(phaseColour(name));
        ctx.fillRect(left, top - 5, width, 4);
      }
    },
    afterDatasetsDraw(chart) {
      const { ctx, chartArea: { top, bottom, height } } = chart;
      ctx.save();
      ctx.fillStyle = faded('card', 0.62);
      for (const [from, to] of time.back) {
        const [left, width] = span(chart, from, to);
        ctx.fillRect(left, top, width, height);
      }
      ctx.strokeStyle = faded('text', 0.45);
      ctx.setLineDash([3, 4]);
      for (const [epoch] of time.rewinds) {
        const [left] = span(chart, epoch, epoch);
        ctx.beginPath();
        ctx.moveTo(left, top);
        ctx.lineTo(left, bottom);
        ctx.stroke();
      }
      ctx.restore();
    },
  };
}

// "epoch 57, settle, taken back later"
function epochText(time, epoch) {
  const phase = time.phases.find(([from, to]) => epoch > from && epoch <= to);
  const back = time.back.some(([from, to]) => epoch > from && epoch <= to);
  return `epoch ${epoch}` + (phase ? `, ${phase[2]}` : '') + (back ? ', taken back later' : '');
}

function line(curve, name, label, more) {
  return Object.assign({
    label, data: points(curve), borderColor: colour(name), backgroundColor: colour(name), borderWidth: 1.8,
    pointRadius: 0, pointHoverRadius: 4, tension: 0,
  }, more);
}

// So that epochs stand below each other in charts below each other.
function sameWidth(scale) {
  scale.width = Math.max(scale.width, 66);
}

function drawOverTime(name, time, datasets, yAxis, label) {
  draw(name, {
    type: 'line',
    data: { datasets },
    options: {
      parsing: false,
      normalized: true,
      layout: { padding: { top: 6 } },
      interaction: { mode: 'nearest', axis: 'x', intersect: false },
      scales: { x: axis('epoch', number, { min: 0, max: time.last || 1 }), y: Object.assign(yAxis, { afterFit: sameWidth }) },
      plugins: { tooltip: tooltip({ title: (items) => epochText(time, items[0].parsed.x), label }) },
    },
    plugins: [timePlugin(time)],
  });
}

function drawUnits(net) {
  const dashes = [[], [6, 3], [2, 3], [8, 3, 2, 3]];
  const datasets = net.units.map((curve, layer) =>
    line(curve, 'c' + (layer % 6 + 1), `layer ${layer + 1}`, { borderDash: dashes[layer % 4] }));
  drawOverTime('units', net.time, datasets, axis('units', number, { min: 0 }),
    (item) => `${item.dataset.label}: ${number(item.parsed.y)} units`);
}

function drawLearning(net) {
  const top = (curve) => (!curve.y.length ? {} : { max: curve.top + 0.06 * (curve.top - Math.min(...curve.y)) });
  drawOverTime('error', net.time, [line(net.error, 'c1', 'validation error')],
    axis('validation error', errorText, top(net.error)), (item) => `validation error ${errorText(item.parsed.y)}`);
  drawOverTime('loss', net.time, [line(net.loss, 'c2', 'training loss')],
    axis('training loss', number, top(net.loss)), (item) => `training loss ${number(item.parsed.y)}`);
}

function drawLengths(net, layer) {
  const units = net.lengths[layer] || [];
  const fate = (unit) => (unit.survived ? 'survived' : `died in epoch ${unit.end}`);
  for (const [name, key, title] of [['fan-in', 'in', 'length of fan-in'], ['fan-out', 'out', 'length of fan-out']]) {
    const datasets = units.map((unit) =>
      line(unit[key], unit.survived ? 'c1' : 'c2', `unit ${unit.unit}`, { note: fate(unit), borderWidth: 1.5 }));
    drawOverTime(name, net.time, datasets, axis(title, number, { min: 0 }),
      (item) => `${item.dataset.label} (${item.dataset.note}): ${number(item.parsed.y)}`);
  }
}
