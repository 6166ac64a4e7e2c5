// SPDX-License-Identifier: Apache-2.0
// This page shows the front of a search. Its figures are those of the search's JSON.
'use strict';
const {exploration} = data;
const place = document.getElementById('charts');
const front = exploration.front;
const metrics = front.length > 0 ? Object.keys(front[0].metrics) : [];
const parameters = front.length > 0 ? Object.keys(front[0].parameters) : [];
const nameOf = point => parameters.map(key => `${key}=${point.parameters[key]}`).join(' ');
const shown = () => front.filter(point => filters.every(({metric, from, to}) =>
  !(point.metrics[metric] < Number(from.value || -Infinity)) && !(point.metrics[metric] > Number(to.value || Infinity))));

const cards = document.getElementById('cards');
for (const [name, value] of [['points on the front', front.length], ['points of the space', exploration.counts.points],
  ['evaluated', exploration.counts.evaluated], ['layers simulated', exploration.counts.layers_simulated],
  [exploration.method, exploration.interrupted ? 'interrupted' : exploration.proven ? 'proven' : 'not proven']]) {
  const made = cards.appendChild(element('div', undefined, {class: 'card'}));
  made.appendChild(element('b', typeof value === 'number' ? number(value) : value));
  made.appendChild(element('span', name, {class: 'soft'}));
}

// These controls choose what the axes, the colour and the size of a point show.
const controls = document.getElementById('controls');
function choice(label, chosen, none) {
  const wrap = controls.appendChild(element('label', label + ' '));
  const select = wrap.appendChild(element('select'));
  for (const metric of [...(none ? [''] : []), ...metrics]) {
    const option = select.appendChild(element('option', metric === '' ? 'none' : metric, {value: metric}));
    option.selected = metric === chosen;
  }
  select.addEventListener('change', draw);
  return select;
}
const [first, second, third] = exploration.objectives;
const other = metric => metric === 'lut_percent' ? 'latency_ms' : 'lut_percent';
const x = choice('across', first, false), y = choice('up', second || other(first), false);
const colour = choice('colour', third || '', true), size = choice('size', '', true);
const filters = [];
const more = controls.appendChild(element('button', 'add a filter', {type: 'button'}));
more.addEventListener('click', () => {
  const wrap = document.getElementById('filters').appendChild(element('span'));
  const select = wrap.appendChild(element('select'));
  for (const metric of metrics) select.appendChild(element('option', metric, {value: metric}));
  const bound = text => wrap.appendChild(element('input', undefined, {type: 'number', step: 'any', placeholder: text, size: 8}));
  const filter = {metric: metrics[0], from: bound('at least'), to: bound('at most')};
  select.addEventListener('change', () => { filter.metric = select.value; draw(); });
  for (const input of [filter.from, filter.to]) input.addEventListener('input', draw);
  filters.push(filter);
});

const share = (value, values) => {
  const low = Math.min(...values), high = Math.max(...values);
  return high > low ? (value - low) / (high - low) : 0.5;
};
const shade = part => `hsl(${Math.round(250 - 200 * part)}, 75%, ${dark ? 62 : 42}%)`;
const values = metric => front.map(point => point.metrics[metric]);
const colourOf = point => colour.value ? shade(share(point.metrics[colour.value], values(colour.value))) : palette[0];

// Excluded points lie one step beside the front. They are drawn at their metrics or, if they cannot be built, at the
// point of the front beside which they lie.
const excluded = exploration.neighbours || [];
const steps = excluded.map(one => `${one.parameter}=${one.parameters[one.parameter]}`);
const kMostReason = 110;
const cut = text => text.length > kMostReason ? text.slice(0, kMostReason) + ' ...' : text;

let picked = null;
const scatter = chart(place, 'Front', 'a click picks a point', {
  type: 'scatter', data: {datasets: [{label: 'front', data: [], pointHoverRadius: 9, pointStyle: 'circle'},
    {label: 'excluded', data: [], pointStyle: 'crossRot', pointRadius: 5, pointBorderWidth: 1.5, borderColor: palette[3],
      backgroundColor: palette[3], order: 1},
    {label: 'cannot be, beside its point of the front', data: [], pointStyle: 'star', pointRadius: 9, pointBorderWidth: 1,
      borderColor: palette[7], backgroundColor: palette[7], order: 2}]},
  options: {
    scales: {x: axis(''), y: axis('')},
    onClick: (_, hits) => {
      const hit = hits.find(one => one.datasetIndex === 0);
      if (hit) pick(scatter.data.datasets[0].data[hit.index].point);
    },
    plugins: {legend: {display: excluded.length > 0, labels: {usePointStyle: true}}, tooltip: {callbacks: {label: at => {
      const point = at.raw.point;
      if (at.datasetIndex > 0)
        return [`${steps[at.raw.index]} beside point ${point.beside + 1}`, ...point.reasons.map(cut)];
      return [nameOf(point), ...[x, y, colour, size].filter(s => s.value).map(s => `${s.value} ${number(point.metrics[s.value])}`)];
    }}}},
  },
}, true, 420);

// Every objective, and every parameter that varies, has a vertical axis of its own with its lowest value at the bottom.
const numeric = key => front.every(point => Number.isFinite(Number(point.parameters[key])));
const lanes = [
  ...parameters.filter(key => numeric(key) && new Set(front.map(p => p.parameters[key])).size > 1)
    .map(key => ({name: key, of: point => Number(point.parameters[key])})),
  ...[...new Set([...exploration.objectives, 'latency_ms', 'dsp', 'lut', 'bram36', 'power_w'])].filter(m => metrics.includes(m))
    .map(metric => ({name: metric, of: point => point.metrics[metric]})),
];
const parallel = chart(place, 'Parallel coordinates', 'each axis from its lowest to its highest value on the front', {
  type: 'line', data: {labels: lanes.map(lane => lane.name), datasets: []},
  options: {
    interaction: {mode: 'nearest', intersect: false},
    scales: {y: {display: false, min: -0.05, max: 1.05}},
    plugins: {legend: {display: false}, tooltip: {callbacks: {label: at =>
      `${nameOf(at.dataset.point)}: ${number(lanes[at.dataIndex].of(at.dataset.point))}`}}},
  },
}, true, 300);

const rows = table(document.getElementById('points'), ['point', ...parameters, ...exploration.objectives, 'latency_ms', 'lut', 'power_w', 'timing'],
  front.map((point, i) => [i + 1, ...parameters.map(key => point.parameters[key]),
    ...[...exploration.objectives, 'latency_ms', 'lut', 'power_w'].map(metric => number(point.metrics[metric])),
    (point.timing || '').replaceAll('_', ' ')]));
rows.forEach((row, i) => {
  row.addEventListener('click', () => pick(front[i]));
  for (const objective of exploration.objectives) row.dataset[objective] = front[i].metrics[objective];
});

if (exploration.neighbours) {
  const into = document.getElementById('neighbours');
  into.appendChild(element('h2', 'One step beside the front, excluded'));
  const more = exploration.neighbours_not_looked_at;
  if (excluded.length === 0 || more > 0) into.appendChild(element('p', (excluded.length === 0 ? 'None. ' : '') +
    (more > 0 ? `${number(more)} more were not looked at.` : ''), {class: 'soft'}));
  if (excluded.length > 0) table(into, ['beside point', 'step', ...exploration.objectives, 'excluded by'],
    excluded.map((one, i) => [one.beside + 1, steps[i],
      ...exploration.objectives.map(metric => one.metrics ? number(one.metrics[metric]) : '-'), one.reasons.join('; ')]))
    .forEach((row, i) => { row.lastElementChild.className = 'words'; row.dataset.excluded = excluded[i].reasons.join('; '); });
}

function pick(point) {
  picked = point;
  document.getElementById('command').textContent = point.command;
  draw();
}

function draw() {
  const points = shown();
  const set = scatter.data.datasets[0];
  set.data = points.map(point => ({x: point.metrics[x.value], y: point.metrics[y.value], point}));
  set.backgroundColor = points.map(colourOf);
  set.pointRadius = points.map(point => point === picked ? 9 : size.value ? 4 + 8 * share(point.metrics[size.value], values(size.value)) : 5);
  const near = excluded.map((one, index) => ({one, index, at: one.metrics || front[one.beside].metrics}))
    .filter(({one}) => one.metrics || points.includes(front[one.beside]))
    .map(({one, index, at}) => ({x: at[x.value], y: at[y.value], point: one, index}));
  scatter.data.datasets[1].data = near.filter(mark => mark.point.metrics);
  scatter.data.datasets[2].data = near.filter(mark => !mark.point.metrics);
  scatter.options.scales.x.title.text = x.value;
  scatter.options.scales.y.title.text = y.value;
  scatter.update();
  parallel.data.datasets = points.map(point => ({point, borderColor: point === picked ? palette[3] : colourOf(point),
    borderWidth: point === picked ? 4 : 1.5, pointRadius: 2, data: lanes.map(lane => share(lane.of(point), front.map(lane.of)))}));
  parallel.update();
  rows.forEach((row, i) => {
    row.classList.toggle('picked', front[i] === picked);
    row.hidden = !points.includes(front[i]);
  });
}
if (front.length > 0) pick(front[0]);
