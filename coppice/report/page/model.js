// The model, as the program computes it (coppice/data/encoding.cpp, coppice/model/predict.cpp): cells become inputs, inputs
// scores, and those probabilities or a number. Nothing here touches the page.

function numbersOf(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float64Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

// 2024-05-01, 12:30, 12:30:05.5, 2024-05-01T12:30:00Z, 2024-05-01 12:30+02:00; nothing else.
function momentOf(text) {
  const parts = /^(?:(\d{4})-(\d\d)-(\d\d)(?:[T ](?=\d)|$))?(?:(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?(?:[Zz]|([+-])(\d\d):?(\d\d)?)?)?$/.exec(text.trim());
  if (!parts || (!parts[1] && !parts[4])) return undefined;
  const [, year, month, day, hour, minute, second, sign, ahead, more] = parts;
  let seconds = hour ? 3600 * hour + 60 * minute + Number(second || 0) : 0;
  if (!year) return { hour: seconds / 3600 };
  if (sign) seconds -= (sign === '-' ? -1 : 1) * (3600 * ahead + 60 * (more || 0));
  const date = new Date(0);
  date.setUTCFullYear(Number(year), month - 1, Number(day));
  const days = date.getTime() / 86400000 + seconds / 86400;
  const whole = new Date(Math.floor(days) * 86400000);
  return { day: days, month: whole.getUTCMonth() + 1, weekday: whole.getUTCDay() || 7, hour: 24 * (days - Math.floor(days)) };
}

// The cells of columns that are made of others; undefined is missing.
function derivedCells({ kind, source, origin, names, ranks }, cells) {
  const text = cells[source];
  if (kind === 'rank') return { [names[0]]: Object.hasOwn(ranks, text || '') ? ranks[text] : undefined };
  const moment = text ? momentOf(text) : undefined;
  const made = {};
  for (const name of names) {
    const part = name.slice(source.length + 1);
    made[name] = moment && (part === 'day' ? moment.day - origin : moment[part]);
  }
  return made;
}

// The inputs that are made of one cell, before they are scaled.
function inputsOf(column, cell) {
  if (column.categories) {
    const place = column.categories.indexOf(cell === undefined ? '' : cell);
    return Array.from({ length: column.categories.length + 1 }, (_, k) => Number(k === (place < 0 ? column.categories.length : place)));
  }
  const missing = cell === undefined || cell === '' || !Number.isFinite(Number(cell));
  const number = missing ? column.fill : Math.fround(Number(cell) - (column.base || 0));
  let value = number;
  if (column.squash) {
    const [median, factor, limit] = column.squash;
    const z = (number - median) * factor;
    value = z / Math.sqrt(1 + (z / limit) ** 2);
  }
  const inputs = column.indicator ? [value, Number(missing)] : [value];
  for (let t = 0; t + 1 < column.bins.length; ++t) {
    inputs.push(Math.min(1, Math.max(0, (number - column.bins[t]) / (column.bins[t + 1] - column.bins[t]))));
  }
  return inputs;
}

const activations = {
  relu: (y) => (y > 0 ? y : 0),
  'leaky-relu': (y) => (y > 0 ? y : 0.01 * y),
  abs: Math.abs,
  tanh: Math.tanh,
  identity: (y) => y,
};

function scoresOf(net, inputs, activation) {
  let x = inputs;
  net.layers.forEach(({ weights, mean }, l) => {
    const last = l + 1 === net.layers.length;
    const y = new Float64Array(mean.length);
    for (let j = 0, at = 0; j < y.length; ++j) {
      let sum = -mean[j];
      for (let i = 0; i < x.length; ++i, ++at) sum += weights[at] * x[i];
      y[j] = last ? sum : activation(sum);
    }
    x = y;
  });
  return x.map((score, k) => score + (net.offset[k] || 0));
}

// What the page carries, ready to compute.
function readModel(json) {
  const model = JSON.parse(json);
  model.offset = numbersOf(model.offset);
  model.factor = numbersOf(model.factor);
  model.plain = [];  // inputs that are not bins
  let first = 0;
  for (const column of model.columns) {
    if (!column.categories) column.bins = numbersOf(column.edges);
    const own = column.categories ? column.categories.length + 1 : 1 + Number(column.indicator);
    for (let i = 0; i < own; ++i) model.plain.push(first + i);
    first += own + (column.categories ? 0 : Math.max(column.bins.length - 1, 0));
  }
  for (const net of model.nets) {
    net.offset = numbersOf(net.offset);
    net.layers = net.layers.map(({ weights, mean }) => ({ weights: numbersOf(weights), mean: numbersOf(mean) }));
  }
  return model;
}

// Cells by the names of their columns, as texts or numbers; what is not there is missing. Probabilities of all classes, or
// one number.
function answersOf(model, cells) {
  const all = Object.assign({}, cells, ...model.derived.map((derived) => derivedCells(derived, cells)));
  const raw = model.columns.flatMap((column) => inputsOf(column, all[column.name]));
  const inputs = Float64Array.from(raw, (value, i) => Math.fround((value - model.offset[i]) * model.factor[i]));
  const plain = Float64Array.from(model.plain, (i) => inputs[i]);
  const scores = new Float64Array(Math.max(model.classes.length, 1));
  for (const net of model.nets) {
    scoresOf(net, net.plain ? plain : inputs, activations[model.activation]).forEach((score, k) => {
      scores[k] += score / model.nets.length;
    });
  }
  if (model.classes.length === 0) {
    const value = model.mean + model.deviation * scores[0];
    return [model.log ? Math.exp(Math.min(value, model.mean + 10 * model.deviation, 700)) : value];
  }
  const top = Math.max(...scores);
  const odds = Array.from(scores, (score) => Math.exp((score - top) / model.temperature));
  const total = odds.reduce((sum, own) => sum + own, 0);
  return odds.map((own) => own / total);
}
