// Error against parameters: every net a point, whiskers of one standard error.

const whiskers = {
  id: 'whiskers',
  beforeDatasetsDraw(chart) {
    const { ctx, scales: { x, y } } = chart;
    ctx.save();
    ctx.lineWidth = 1.5;
    for (const net of report.front) {
      if (!(net.se > 0)) continue;
      const at = x.getPixelForValue(net.x);
      const from = y.getPixelForValue(net.y - net.se);
      const to = y.getPixelForValue(net.y + net.se);
      ctx.strokeStyle = netColour(net);
      ctx.beginPath();
      ctx.moveTo(at, from);
      ctx.lineTo(at, to);
      for (const end of [from, to]) {
        ctx.moveTo(at - 4, end);
        ctx.lineTo(at + 4, end);
      }
      ctx.stroke();
    }
    ctx.restore();
  },
};

function netColour(net) {
  if (net.chosen) return colour('c2');
  return net.dominated ? faded('c5', 0.55) : colour('c1');
}

function roundSizes(from, to, most) {
  let all = [];
  const few = Math.log10(to / from) < 1;
  for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); ++power) {
    for (const digit of few ? [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9] : [1, 2, 5]) {
      const value = digit * 10 ** power;
      if (value >= from && value <= to) all.push({ value });
    }
  }
  while (all.length > Math.max(most, 2)) all = all.filter((_, i) => i % 2 === 0);
  return all;
}

function drawFront() {
  if (!report.front.length) return;
  const sizes = report.front.map((net) => net.x);
  const low = Math.min(...sizes) / 1.3;
  const high = Math.max(...sizes) * 1.3;
  const ends = report.front.flatMap((net) => [net.y - (net.se || 0), net.y + (net.se || 0)]);
  const room = (Math.max(...ends) - Math.min(...ends)) * 0.08 || Math.max(...ends) * 0.1 || 0.01;
  const front = report.front.filter((net) => !net.dominated).sort((a, b) => a.x - b.x);
  draw('front', {
    type: 'scatter',
    data: {
      datasets: [
        {
          data: report.front,
          pointBackgroundColor: report.front.map(netColour),
          pointBorderColor: report.front.map((net) => (net.chosen ? colour('text') : netColour(net))),
          pointBorderWidth: report.front.map((net) => (net.chosen ? 2 : 1)),
          pointRadius: report.front.map((net) => (net.chosen ? 8 : 5)),
          pointHoverRadius: 9,
        },
        { data: front, showLine: true, borderColor: faded('c1', 0.5), borderWidth: 1.5, pointRadius: 0, pointHitRadius: 0 },
      ],
    },
    options: {
      scales: {
        x: axis('parameters', number, {
          type: 'logarithmic', min: low, max: high,
          afterBuildTicks: (scale) => { scale.ticks = roundSizes(scale.min, scale.max, scale.chart.width / 90); },
        }),
        y: axis('validation error', errorText, {
          min: Math.max(0, Math.min(...ends) - room), max: Math.max(...ends) + room,
        }),
      },
      plugins: {
        tooltip: Object.assign(tooltip({
          title: (items) => items[0].raw.title,
          label: (item) => item.raw.lines,
        }), { filter: (item) => item.datasetIndex === 0 }),
      },
    },
    plugins: [whiskers],
  });
}
