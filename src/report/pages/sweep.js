// SPDX-License-Identifier: Apache-2.0
// This page shows the points of a sweep. Its figures are those of the sweep's JSON.
'use strict';
const {sweep, metrics} = data;
const place = document.getElementById('charts');
const {keys, points} = sweep;
const ran = points.filter(point => point[metrics[0].name] !== undefined);
const valuesOf = (key, among) => [...new Set(among.map(point => point.values[key]))];
const varies = metric => new Set(ran.map(point => point[metric.name])).size > 1;

const cards = document.getElementById('cards');
function card(name, value) {
  const made = cards.appendChild(element('div', undefined, {class: 'card'}));
  made.appendChild(element('b', value));
  made.appendChild(element('span', name, {class: 'soft'}));
}
card('points', number(points.length));
if (ran.length < points.length) card('do not run', number(points.length - ran.length));
const misfits = ran.filter(point => point.reason).length;
if (misfits > 0) card('do not fit the device or the clock', number(misfits));
if (ran.length > 1) for (const metric of metrics)
  if (!varies(metric)) card(metric.head + ' at all points', number(ran[0][metric.name]));

// A key matters to a metric that changes along it. The key with most values runs along the x axis. Each combination of
// the other keys that matter is a line.
const others = (point, key) => keys.filter(one => one !== key).map(one => point.values[one]).join('\n');
const kMostNamed = 8;
const short = key => key.split('.').pop();
function matters(key, metric) {
  const seen = new Map();
  return ran.some(point => {
    const rest = others(point, key), value = point[metric.name];
    if (!seen.has(rest)) seen.set(rest, value);
    return seen.get(rest) !== value;
  });
}

for (const metric of metrics.filter(varies)) {
  let along = keys.filter(key => matters(key, metric));
  if (along.length === 0) along = keys;  // no two points can be compared if too many do not run
  const across = along.reduce((most, key) => valuesOf(key, points).length > valuesOf(most, points).length ? key : most);
  const places = valuesOf(across, points);
  if (places.every(value => Number.isFinite(Number(value)))) places.sort((a, b) => a - b);
  const nameOf = point => along.filter(key => key !== across).map(key => `${short(key)} ${point.values[key]}`).join(', ');
  const lines = [...new Set(ran.map(nameOf))];
  const at = (name, value) => ran.filter(point => nameOf(point) === name && point.values[across] === value);
  const misfit = there => there.length > 0 && there.every(point => point.reason);
  chart(place, metric.head, `over ${across}`, {
    type: 'line',
    data: {
      labels: places,
      datasets: lines.map((name, i) => {
        const there = places.map(value => at(name, value));
        return {label: name || metric.head, data: there.map(one => one.length > 0 ? one[0][metric.name] : null),
          borderColor: palette[i % palette.length], borderWidth: 2, spanGaps: true, pointRadius: 4,
          pointStyle: there.map(one => misfit(one) ? 'crossRot' : 'circle'),
          pointBorderWidth: there.map(one => misfit(one) ? 3 : 1),
          backgroundColor: palette[i % palette.length]};
      }),
    },
    options: {
      interaction: {mode: 'nearest', intersect: false},
      scales: {x: axis(across), y: axis(metric.head)},
      plugins: {
        legend: {display: lines.length > 1 && lines.length <= kMostNamed, labels: {usePointStyle: true, boxWidth: 8}},
        tooltip: {callbacks: {
          title: hits => `${across} ${hits[0].label}`,
          label: hit => {
            const there = at(lines[hit.datasetIndex], places[hit.dataIndex]);
            return [`${hit.dataset.label}: ${number(hit.raw)}`, ...(misfit(there) ? [there[0].reason] : [])];
          },
        }},
      },
    },
  }, false, 280);
}

const rows = table(document.getElementById('points'), [...keys, ...metrics.map(metric => metric.head), 'timing', ''],
  points.map(point => [...keys.map(key => point.values[key]),
    ...metrics.map(metric => point[metric.name] === undefined ? '' : number(point[metric.name])),
    (point.timing || '').replaceAll('_', ' '), point.reason || '']));
rows.forEach((row, i) => {
  row.lastElementChild.className = points[i].reason ? 'words' : '';
  row.dataset.cycles = points[i].cycles ?? '';
  row.dataset.latency = points[i].latency_ms ?? '';
});
