// Charts as SVG files, their numbers and tables as csv. Files are made here and leave the page only to the reader's disk.

function save(name, kind, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const csvCell = (cell) => (/[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell));
const csvOf = (rows) => rows.map((row) => row.map(csvCell).join(',') + '\n').join('');

const tableRows = (table) => [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent));

// Every point of every curve that has a name.
function chartRows(plot) {
  const { curves, logarithmic } = content(plot);
  const rows = [['curve', plot.dataset.x, 'value']];
  for (const { path, points } of curves) {
    for (const [x, y] of points) rows.push([path.dataset.name, logarithmic ? 10 ** x : x, y]);
  }
  return rows;
}

// What the style sheet gives the elements of a picture, written into them.
const inked = ['fill', 'fill-opacity', 'stroke', 'stroke-opacity', 'stroke-width', 'stroke-dasharray', 'stroke-linecap',
  'stroke-linejoin', 'vector-effect', 'opacity', 'display', 'font-size', 'font-weight', 'font-family'];

function drawingOf(svg) {
  const copy = svg.cloneNode(true);
  const from = [svg, ...svg.querySelectorAll('*')];
  const to = [copy, ...copy.querySelectorAll('*')];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    to[i].setAttribute('style', inked.map((name) => `${name}:${style.getPropertyValue(name)}`).join(';'));
  });
  // Labels stand outside of a plot's area: the file has room for them.
  const chart = svg.closest('.chart');
  const room = chart ? getComputedStyle(chart) : undefined;
  const [top, right, bottom, left] = ['top', 'right', 'bottom', 'left'].map((side) => (room ? parseFloat(room.getPropertyValue(`padding-${side}`)) : 0));
  const { width, height } = svg.getBoundingClientRect();
  const file = document.createElementNS(drawn, 'svg');
  const size = [width + left + right, height + top + bottom];
  const ground = document.createElementNS(drawn, 'rect');
  for (const [name, value] of [['width', size[0]], ['height', size[1]], ['fill', getComputedStyle(svg.closest('section')).backgroundColor]]) ground.setAttribute(name, value);
  for (const [name, value] of [['width', size[0]], ['height', size[1]], ['viewBox', `0 0 ${size[0]} ${size[1]}`]]) file.setAttribute(name, value);
  for (const [name, value] of [['x', left], ['y', top], ['width', width], ['height', height], ['overflow', 'visible']]) copy.setAttribute(name, value);
  file.append(ground, copy);
  return new XMLSerializer().serializeToString(file);
}

// Buttons inside `holder`, which has a chart, a table or bars.
function saver(section, holder, offers) {
  const line = make('p', 'save', '');
  for (const [label, what, kind, text] of offers) {
    const button = make('button', '', label);
    button.type = 'button';
    const name = `${section.id}-${what.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')}.${label.toLowerCase()}`;
    button.setAttribute('aria-label', `save ${what} as ${label}`);
    button.addEventListener('click', () => save(name, kind, text()));
    line.append(button);
  }
  holder.append(line);
}

for (const section of document.querySelectorAll('section')) {
  for (const svg of section.querySelectorAll('.plot, .picture svg, .heat-map svg')) {
    const what = svg.getAttribute('aria-label') || 'picture';
    const offers = [['SVG', what, 'image/svg+xml', () => drawingOf(svg)]];
    if (svg.querySelector('[data-name]')) offers.push(['csv', what, 'text/csv', () => csvOf(chartRows(svg))]);
    saver(section, svg.closest('.chart, .picture, .heat-map'), offers);
  }
  for (const table of section.querySelectorAll('.scroll > table')) {
    saver(section, table.parentElement, [['csv', table.closest('details')?.querySelector('summary').textContent || 'table', 'text/csv', () => csvOf(tableRows(table))]]);
  }
  for (const list of section.querySelectorAll('.bars > ol')) {
    if (list.closest('.what-if')) continue;
    const what = list.parentElement.parentElement.querySelector('h3')?.textContent || 'bars';
    saver(section, list.parentElement, [['csv', list.parentElement.querySelector('h3')?.textContent || what, 'text/csv',
      () => csvOf([['name', 'value'], ...[...list.children].map((item) => [item.querySelector('.key').textContent, item.querySelector('.value').textContent])])]]);
  }
}
