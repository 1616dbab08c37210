// Puts live charts in the place of the pictures, and follows the choice of net, layer and colour scheme.

let shownNet = String(report.chosen);
let shownLayer = 0;

function drawNet() {
  const net = report.nets[shownNet];
  drawUnits(net);
  drawLearning(net);
  drawLengths(net, shownLayer);
}

function drawAll() {
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  drawFront();
  drawNet();
  drawCalibration();
  drawPredictions();
}

function showNet(net) {
  shownNet = net;
  for (const select of document.querySelectorAll('.net-select')) select.value = net;
  for (const part of document.querySelectorAll('[data-net]')) part.hidden = part.dataset.net !== net;
}

document.documentElement.classList.add('live');
drawAll();
for (const select of document.querySelectorAll('.net-select')) {
  select.addEventListener('change', () => { showNet(select.value); drawNet(); });
}
const layers = document.getElementById('layer-select');
if (layers) {
  layers.addEventListener('change', () => {
    shownLayer = Number(layers.value);
    drawLengths(report.nets[shownNet], shownLayer);
  });
}
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);

// On paper the pictures are seen, which show the chosen net.
let before = shownNet;
window.addEventListener('beforeprint', () => { before = shownNet; showNet(String(report.chosen)); });
window.addEventListener('afterprint', () => showNet(before));
