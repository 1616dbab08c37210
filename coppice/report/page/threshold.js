// The slider that says from which probability on a class is answered.

function share(value) {
  if (!Number.isFinite(value)) return '-';
  const percent = 100 * value;
  return (percent === 0 || percent >= 0.01 ? percent.toFixed(2) : String(Number(percent.toPrecision(2)))) + ' %';
}

for (const box of document.querySelectorAll('.threshold')) {
  const { at, positives, negatives } = JSON.parse(box.dataset.thresholds);
  const slider = box.querySelector('input');
  const show = () => {
    const [threshold, right, wrong] = at[slider.value];
    const facts = {
      recall: right / positives,
      precision: right / (right + wrong),
      false_positives: wrong / negatives,
      error: (positives - right + wrong) / (positives + negatives),
      f1: (2 * right) / (positives + right + wrong),
    };
    box.querySelector('output').textContent = threshold;
    slider.setAttribute('aria-valuetext', String(threshold));
    for (const fact of box.querySelectorAll('[data-fact]')) fact.textContent = share(facts[fact.dataset.fact]);
    place('.at-roc', facts.false_positives, facts.recall, threshold);
    place('.at-precision', facts.recall, facts.precision, threshold);
  };
  const place = (mark, x, y, threshold) => {
    const circle = box.closest('section').querySelector(mark);
    if (!circle) return;
    circle.classList.toggle('off', !Number.isFinite(y));
    if (!Number.isFinite(y)) return;
    circle.setAttribute('cx', 100 * x + '%');
    circle.setAttribute('cy', 100 - 100 * y + '%');
    circle.dataset.title = `threshold ${threshold}`;
    circle.setAttribute('aria-label', circle.dataset.title);
  };
  // The step of the slider nearest to a threshold.
  const go = (threshold) => {
    const distances = at.map(([own]) => Math.abs(own - threshold));
    slider.value = distances.indexOf(Math.min(...distances));
    show();
  };
  slider.max = at.length - 1;
  slider.addEventListener('input', show);
  for (const button of box.querySelectorAll('button')) button.addEventListener('click', () => go(Number(button.dataset.threshold)));
  go(0.5);
}
