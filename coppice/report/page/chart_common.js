'use strict';
// What all charts share. Files in this folder are joined in the order of their names; start.js comes last.

const report = JSON.parse(document.getElementById('report-data').textContent);
const charts = {};

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}

function faded(name, strength) {
  const hex = colour(name);
  const part = (at) => parseInt(hex.slice(at, at + 2), 16);
  return `rgba(${part(1)}, ${part(3)}, ${part(5)}, ${strength})`;
}

function number(value) {
  const size = Math.abs(value);
  if (size >= 1e4 || Number.isInteger(value)) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

function percent(value) {
  return Number((100 * value).toPrecision(3)) + ' %';
}

function errorText(value) {
  return report.classification ? percent(value) : number(value);
}

function points(curve) {
  return curve.x.map((x, i) => ({ x, y: curve.y[i] }));
}

function axis(title, format, more) {
  return Object.assign({
    type: 'linear',
    title: { display: true, text: title, color: colour('soft'), font: { size: 12 } },
    grid: { color: colour('grid'), borderColor: colour('axis'), tickLength: 4 },
    ticks: { color: colour('soft'), callback: (value) => format(value), maxRotation: 0, autoSkipPadding: 14, includeBounds: false },
  }, more);
}

function tooltip(callbacks) {
  return {
    backgroundColor: colour('tip'), titleColor: colour('tip-text'), bodyColor: colour('tip-text'),
    padding: 10, cornerRadius: 6, displayColors: false, callbacks,
  };
}

// Draws the chart in the element of that name, in place of an earlier one.
function draw(name, config) {
  const canvas = document.querySelector(`#chart-${name} canvas`);
  if (!canvas) return;
  if (charts[name]) charts[name].destroy();
  config.options = Object.assign({ responsive: true, maintainAspectRatio: false, animation: false }, config.options);
  config.options.plugins = Object.assign({ legend: { display: false } }, config.options.plugins);
  charts[name] = new Chart(canvas, config);
}
