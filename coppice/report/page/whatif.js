// The model runs in the page: fields for its columns, and what it says about them.

const fieldsAtFirst = 10;
const sparkPoints = 21;
const sparkProducts = 4e7;  // weights times answers that may be asked for at every change

function whatIf(box) {
  const model = readModel(box.dataset.model);
  const cells = {};
  const sparks = [];
  const said = make('div', 'said', '');
  said.setAttribute('aria-live', 'polite');
  const list = make('div', 'fields', '');
  const rest = document.createElement('details');
  const restList = make('div', 'fields', '');
  rest.append(make('summary', '', `${model.fields.length - fieldsAtFirst} more columns`), restList);
  const weights = model.nets.reduce((sum, net) => sum + net.layers.reduce((own, layer) => own + layer.weights.length, 0), 0);
  const sparked = Math.min(fieldsAtFirst, Math.floor(sparkProducts / (weights * sparkPoints)));
  const answer = (other) => answersOf(model, Object.assign({}, cells, other));

  const show = () => {
    const answers = answer({});
    const best = answers.indexOf(Math.max(...answers));
    if (model.classes.length === 0) {
      said.replaceChildren(make('span', '', model.target), make('b', 'value', number(answers[0])));
    } else {
      const order = answers.map((_, k) => k);
      if (answers.length > 2) order.sort((a, b) => answers[b] - answers[a]);
      said.replaceChildren(make('span', '', model.target), make('b', 'value', model.classes[best]), bars(model, answers, order.slice(0, 8)));
    }
    watched = answers.length === 2 ? 1 : best;
    if (!asked) asked = requestAnimationFrame(drawSparks);
  };
  // They take longer than the answer, so once a frame is enough.
  let watched = 0;
  let asked;
  const drawSparks = () => {
    asked = undefined;
    const lines = sparks.map((spark) => spark.values((cell) => answer(cell)[watched]));
    const [least, most] = model.classes.length > 0 ? [0, 1] : [Math.min(...lines.flat()), Math.max(...lines.flat())];
    sparks.forEach((spark, i) => spark.draw(lines[i], least, most));
  };
  model.fields.forEach((field, i) => {
    const row = fieldRow(field, cells, show);
    if (field.kind === 'number' && i < sparked) sparks.push(sparkline(row, field));
    (i < fieldsAtFirst ? list : restList).append(row);
  });
  const reset = make('button', '', 'as at first');
  reset.type = 'button';
  reset.addEventListener('click', () => {
    for (const row of box.querySelectorAll('.field')) row.dispatchEvent(new Event('reset'));
    show();
  });
  list.append(...(model.fields.length > fieldsAtFirst ? [rest] : []), reset);
  box.append(list, said);
  show();
}

function bars(model, answers, order) {
  const list = document.createElement('ol');
  for (const k of order) {
    const item = document.createElement('li');
    const track = make('span', 'track', '');
    const bar = document.createElement('i');
    bar.style.width = 100 * answers[k] + '%';
    track.append(bar);
    item.append(make('span', 'key', model.classes[k]), track, make('span', 'value', share(answers[k])));
    list.append(item);
  }
  const box = make('div', 'bars', '');
  box.append(list);
  return box;
}

// A label and what the cell is set with.
function fieldRow(field, cells, changed) {
  const row = make('div', 'field', '');
  const label = make('label', '', field.column);
  const control = controlOf(field, row);
  label.htmlFor = control.id;
  row.prepend(label);
  const take = () => {
    cells[field.column] = control.value === '' ? undefined : control.value;
    changed();
  };
  control.addEventListener('input', take);
  row.addEventListener('reset', () => {
    control.value = field.usual;
    control.dispatchEvent(new Event('set'));
    cells[field.column] = control.value === '' ? undefined : control.value;
  });
  row.dispatchEvent(new Event('reset'));
  return row;
}

let fieldCount = 0;

function controlOf(field, row) {
  const control = document.createElement(field.kind === 'text' ? 'select' : 'input');
  control.id = `cell-${++fieldCount}`;
  row.append(control);
  if (field.kind === 'text') {
    // A missing cell is a category of its own if training had some; what is not among the categories is "other".
    for (const value of new Set(['', ...field.values])) control.append(new Option(value === '' ? '(missing)' : value, value));
  } else if (field.kind === 'number') {
    control.type = 'number';
    control.step = 'any';
    control.placeholder = 'missing';
    row.append(sliderOf(field, control));
  } else {
    control.type = 'text';
    control.placeholder = { date: '2024-05-01', time: '12:30', moment: '2024-05-01T12:30' }[field.kind];
  }
  return control;
}

function sliderOf(field, control) {
  const slider = document.createElement('input');
  slider.type = 'range';
  const values = field.values.map(Number);
  const whole = values.every(Number.isInteger);
  [slider.min, slider.max] = [values[0], values[values.length - 1]];
  slider.step = whole ? 1 : 'any';
  slider.setAttribute('aria-label', field.column);
  const follow = () => { slider.value = control.value; };
  control.addEventListener('input', follow);
  control.addEventListener('set', follow);
  slider.addEventListener('input', () => {
    control.value = Number(Number(slider.value).toPrecision(5));
    control.dispatchEvent(new Event('input'));
  });
  return slider;
}

// A thin line below the slider: the answer as this column alone changes.
function sparkline(row, field) {
  const cells = field.values.map(Number);
  const [low, high] = [cells[0], cells[cells.length - 1]];
  const places = Array.from({ length: sparkPoints }, (_, i) => i / (sparkPoints - 1));
  const picture = document.createElementNS(drawn, 'svg');
  for (const [name, value] of [['class', 'spark'], ['viewBox', '0 0 100 20'], ['preserveAspectRatio', 'none'], ['aria-hidden', 'true']]) {
    picture.setAttribute(name, value);
  }
  const line = document.createElementNS(drawn, 'path');
  picture.append(line);
  row.append(picture);
  return {
    values: (answer) => places.map((place) => answer({ [field.column]: low + (high - low) * place })),
    draw: (said, least, most) => {
      const height = (value) => (most > least ? 19 - (18 * (value - least)) / (most - least) : 10);
      line.setAttribute('d', said.map((value, i) => `${i ? 'L' : 'M'}${100 * places[i]} ${height(value).toFixed(2)}`).join(''));
    },
  };
}

for (const box of document.querySelectorAll('.what-if')) whatIf(box);
