// How good the chosen net is: probabilities against what came true, predictions against truth.

function diagonal(low, high) {
  return {
    label: 'ideal', data: [{ x: low, y: low }, { x: high, y: high }], showLine: true, borderColor: colour('soft'),
    borderDash: [4, 4], borderWidth: 1.2, pointRadius: 0, pointHitRadius: 0,
  };
}

function drawCalibration() {
  if (!report.calibration) return;
  const curve = (which, name, label) => ({
    label, rows: which.rows, data: points(which), showLine: true, borderColor: colour(name),
    backgroundColor: colour(name), borderWidth: 1.8, pointRadius: 4, pointHoverRadius: 6, clip: 8,
  });
  draw('calibration', {
    type: 'scatter',
    data: {
      datasets: [
        curve(report.calibration.before, 'c2', 'before'), curve(report.calibration.after, 'c1', 'after'), diagonal(0, 1),
      ],
    },
    options: {
      scales: {
        x: axis('probability given', percent, { min: 0, max: 1 }),
        y: axis('share that was right', percent, { min: 0, max: 1 }),
      },
      plugins: {
        tooltip: tooltip({
          label: (item) => `${item.dataset.label}: says ${percent(item.parsed.x)}, right ${percent(item.parsed.y)} ` +
            `(${number(item.dataset.rows[item.dataIndex])} rows)`,
        }),
      },
    },
  });
}

function drawPredictions() {
  if (!report.predictions) return;
  const { points: pairs, low, high } = report.predictions;
  draw('predictions', {
    type: 'scatter',
    data: {
      datasets: [
        { data: pairs.map(([x, y]) => ({ x, y })), backgroundColor: faded('c1', 0.45), pointRadius: 3 }, diagonal(low, high),
      ],
    },
    options: {
      scales: {
        x: axis('actual', number, { min: low, max: high }), y: axis('predicted', number, { min: low, max: high }),
      },
      plugins: {
        tooltip: tooltip({ label: (item) => `actual ${number(item.parsed.x)}, predicted ${number(item.parsed.y)}` }),
      },
    },
  });
}
