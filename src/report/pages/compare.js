// SPDX-License-Identifier: Apache-2.0
// This page shows what differs between reports. Its figures are those of the comparison's JSON.
'use strict';
const {comparison} = data;
const place = document.getElementById('charts');
const letters = comparison.files.map((_, i) => String.fromCharCode(65 + i % 26));
const percent = row => !row.values[0] || row.change === undefined || row.values[row.values.length - 1] === null ? ''
  : `${row.change > 0 ? '+' : ''}${(100 * row.change / row.values[0]).toFixed(1)}`;
const shown = value => value === null ? '-' : typeof value === 'number' ? number(value) : value;

const cards = document.getElementById('cards');
for (const [name, head] of [['cycles', 'cycles'], ['seconds', 'seconds'], ['bytes_read', 'bytes read'],
  ['power_w', 'W (estimated)'], ['energy_mj', 'mJ a frame']]) {
  const row = comparison.total.find(one => one.name === name);
  if (!row) continue;
  const made = cards.appendChild(element('div', undefined, {class: 'card'}));
  made.appendChild(element('b', percent(row) === '' ? shown(row.values[row.values.length - 1]) : percent(row) + ' %'));
  made.appendChild(element('span', `${head}: ${row.values.map(shown).join(', ')}`, {class: 'soft'}));
}

// Draws bars of every report beside each other, the row that changed most first.
const kMostBars = 40;
function bars(title, remark, of, unit, scale, wide = false) {
  const rows = of.filter(row => row.change !== undefined).slice(0, kMostBars);
  if (rows.length === 0) return;
  const more = of.length > rows.length ? `; the first ${rows.length} of ${of.length}` : '';
  chart(place, title, remark + more, {
    type: 'bar',
    data: {labels: rows.map(row => row.name), datasets: letters.map((letter, i) => ({label: letter,
      data: rows.map(row => scale(row, row.values[i])), backgroundColor: palette[i % palette.length]}))},
    options: {
      indexAxis: 'y',
      scales: {x: axis(unit, {beginAtZero: true}), y: {ticks: {autoSkip: false}}},
      plugins: {tooltip: {callbacks: {label: at =>
        `${at.dataset.label}: ${shown(rows[at.dataIndex].values[at.datasetIndex])} (${percent(rows[at.dataIndex])} %)`}}},
    },
  }, wide, 110 + (8 + 12 * letters.length) * rows.length);
}
const plain = (_, value) => value;
bars('Where the cycles went', 'of the whole network, what changed', comparison.buckets, 'cycles', plain);
bars('Resources', `of what ${letters[0]} needs`, comparison.resources, '%',
  (row, value) => row.values[0] ? 100 * value / row.values[0] : null);
bars('Layers', 'cycles of those that changed', comparison.layers, 'cycles', plain, true);

const heads = name => [name, ...letters, 'change', '%'];
const sections = document.getElementById('tables');
for (const [name, title] of [['configuration', 'Configuration'], ['total', 'Total'], ['buckets', 'Cycles by bucket'],
  ['resources', 'Resources'], ['layers', 'Cycles by layer']]) {
  const differing = comparison[name];
  if (differing.length === 0) continue;
  sections.appendChild(element('h2', title));
  const rows = table(sections, heads(''), differing.map(row => [row.name, ...row.values.map(shown),
    row.change === undefined ? '' : (row.change > 0 ? '+' : '') + number(row.change), percent(row)]));
  rows.forEach((row, i) => {
    row.dataset.table = name;
    row.dataset.name = differing[i].name;
    if (differing[i].change !== undefined) row.dataset.change = differing[i].change;
  });
}
