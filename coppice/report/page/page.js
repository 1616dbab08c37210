'use strict';
// The charts are pictures that need no script. This one tells what is under the mouse or finger, and shows and hides nets,
// layers and what a legend names. All text is set as text, never as HTML.

const drawn = 'http://www.w3.org/2000/svg';

function make(kind, className, text) {
  const element = document.createElement(kind);
  element.className = className;
  element.textContent = text;
  return element;
}

// As the program writes them (coppice/report/html.cpp).
function number(value) {
  if (Math.abs(value) >= 1e4 || Number.isInteger(value)) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(4)));
}

// --- What a chart holds

const told = new WeakMap();  // of a chart: titles of its marks, points of its curves

// A curve lies in the data's own coordinates, upside down: "M1 -0.5L2 -0.4", dots: "M1 -0.5h0M2 -0.4h0".
function pointsOf(path) {
  return path.getAttribute('d').slice(1).split(/h0M|[ML]/).map((point) => {
    const [x, y] = point.split(' ').map(parseFloat);
    return [x, 0 - y];
  });
}

function content(plot) {
  if (!told.has(plot)) {
    const [left, top, width, height] = plot.querySelector('.area').getAttribute('viewBox').split(' ').map(Number);
    told.set(plot, {
      place: ([x, y]) => [(x - left) / width, (-y - top) / height],  // in the area: 0 to 1
      marks: [...plot.querySelectorAll('circle[data-title]')],
      curves: [...plot.querySelectorAll('[data-name]')].map((path) => ({ path, points: pointsOf(path) })),
      notes: [...plot.querySelectorAll('[data-note]')].map(({ dataset }) => [Number(dataset.from), Number(dataset.to), dataset.note]),
      value: plot.dataset.unit === 'percent' ? (value) => number(100 * value) + ' %' : number,
      xValue: plot.dataset.xUnit === 'percent' ? (value) => number(100 * value) + ' %' : number,
      logarithmic: 'xLog' in plot.dataset,
    });
  }
  return told.get(plot);
}

const visible = (element) => !element.closest('.off');

// --- Telling

const tip = make('div', 'tip', '');
tip.hidden = true;
document.body.append(tip);
const spots = [];  // marks that show which points are told

function still() {
  tip.hidden = true;
  for (const spot of spots.splice(0)) spot.remove();
}

// What a finger pointed at stays when it is lifted.
function leave(event) {
  if (event.pointerType === 'mouse') still();
}

function tell(title, lines, event) {
  tip.replaceChildren(make('b', '', title), ...lines.map(([text, ink]) => make('span', ink, text)));
  tip.hidden = false;
  const room = 14;
  const left = event.clientX + room + tip.offsetWidth < innerWidth ? event.clientX + room : event.clientX - room - tip.offsetWidth;
  const top = Math.min(event.clientY + room, innerHeight - tip.offsetHeight - 4);
  tip.style.left = Math.max(left, 4) + 'px';
  tip.style.top = Math.max(top, 4) + 'px';
}

function spot(plot, kind, className, attributes) {
  const element = document.createElementNS(drawn, kind);
  element.setAttribute('class', className);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  plot.append(element);
  spots.push(element);
}

function ring(plot, [x, y], ink) {
  if (y >= 0 && y <= 1) spot(plot, 'circle', 'spot ' + ink, { cx: 100 * x + '%', cy: 100 * y + '%', r: 4 });
}

// The values of all curves at the epoch nearest to the mouse.
function tellEpoch(plot, event, share) {
  const { place, curves, notes, value } = content(plot);
  const shown = curves.filter(({ path }) => visible(path));
  const distance = (point) => Math.abs(place(point)[0] - share[0]);
  let best;
  for (const { points } of shown) {
    for (const point of points) if (!best || distance(point) < distance(best)) best = point;
  }
  if (!best) return;
  const lines = [];
  for (const { path, points } of shown) {
    const here = points.find(([x]) => x === best[0]);
    if (!here) continue;
    lines.push([`${path.dataset.name}: ${value(here[1])}`, path.classList[1]]);
    ring(plot, place(here), path.classList[1]);
  }
  const x = 100 * place(best)[0] + '%';
  spot(plot, 'line', 'hair', { x1: x, x2: x, y1: 0, y2: '100%' });
  const about = notes.filter(([from, to]) => best[0] > from && best[0] <= to).map(([, , note]) => ', ' + note);
  tell(`${plot.dataset.x} ${number(best[0])}${about.join('')}`, lines, event);
}

// The mark or dot nearest to the mouse, if it is near.
function tellNearest(plot, event, box) {
  const { place, marks, curves, value, xValue } = content(plot);
  let near = 18;
  let say;
  const consider = (x, y, action) => {
    const distance = Math.hypot(event.clientX - x, event.clientY - y);
    if (distance < near) [near, say] = [distance, action];
  };
  for (const mark of marks.filter(visible)) {
    const at = mark.getBoundingClientRect();
    const [title, ...lines] = mark.dataset.title.split('\n');
    consider(at.left + at.width / 2, at.top + at.height / 2, () => tell(title, lines.map((line) => [line, '']), event));
  }
  for (const { path, points } of curves.filter(({ path: own }) => visible(own))) {
    for (const point of points) {
      const [x, y] = place(point);
      consider(box.left + x * box.width, box.top + y * box.height, () => {
        ring(plot, [x, y], path.classList[1]);
        tell(`${plot.dataset.x} ${xValue(point[0])}`, [[`${path.dataset.name} ${value(point[1])}`, '']], event);
      });
    }
  }
  if (say) say();
}

for (const title of document.querySelectorAll('svg title')) {
  const owner = title.parentElement;
  owner.dataset.title = title.textContent;  // told at once, not by the browser a second later
  owner.setAttribute('aria-label', title.textContent);
  title.remove();
}
for (const chart of document.querySelectorAll('.chart')) {
  const plot = chart.querySelector('.plot');
  const follow = (event) => {
    still();
    const box = plot.querySelector('.area').getBoundingClientRect();
    const share = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    if (share[0] < -0.02 || share[0] > 1.02 || share[1] < -0.05 || share[1] > 1.05) return;
    if (plot.dataset.x === 'epoch') tellEpoch(plot, event, share);
    else tellNearest(plot, event, box);
  };
  chart.addEventListener('pointermove', follow);
  chart.addEventListener('pointerdown', follow);
  chart.addEventListener('pointerleave', leave);
}
for (const picture of document.querySelectorAll('.picture')) {
  const follow = (event) => {
    still();
    const { title } = event.target.dataset;
    if (title) tell(title, [], event);
  };
  picture.addEventListener('pointermove', follow);
  picture.addEventListener('pointerdown', follow);
  picture.addEventListener('pointerleave', leave);
}
addEventListener('scroll', still, { passive: true });
addEventListener('pointerdown', still, true);

// --- Showing and hiding

document.documentElement.classList.add('live');
for (const select of document.querySelectorAll('select[data-selects]')) {
  const kind = select.dataset.selects;  // net or layer
  select.addEventListener('change', () => {
    for (const other of document.querySelectorAll(`select[data-selects=${kind}]`)) other.value = select.value;
    for (const part of document.querySelectorAll(`[data-${kind}]`)) part.hidden = part.dataset[kind] !== select.value;
  });
}
for (const section of document.querySelectorAll('section')) {
  const off = new Set();  // words of the legend that were switched off
  for (const entry of section.querySelectorAll('.legend [data-key]')) makeSwitch(section, entry, off);
}

function makeSwitch(section, entry, off) {
  const { key } = entry.dataset;
  const toggle = () => {
    if (!off.delete(key)) off.add(key);
    for (const mark of section.querySelectorAll(`svg .${key}`)) {
      mark.classList.toggle('off', [...mark.classList].some((word) => off.has(word)));
    }
    for (const same of section.querySelectorAll(`[data-key="${key}"]`)) same.setAttribute('aria-pressed', String(!off.has(key)));
  };
  entry.setAttribute('role', 'button');
  entry.setAttribute('aria-pressed', 'true');
  entry.tabIndex = 0;
  entry.addEventListener('click', toggle);
  entry.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    toggle();
  });
}
