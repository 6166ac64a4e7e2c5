// SPDX-License-Identifier: Apache-2.0
// This page shows published figures beside simulated ones. Its rows are those of the JSON.
'use strict';
const {rows, charts: plots} = data;
const place = document.getElementById('charts');
const judged = rows.filter(row => row.error_percent !== null && ['exact', 'within', 'outside'].includes(row.status));
const colours = {exact: palette[2], within: palette[0], outside: palette[3]};
if (judged.length > 0) chart(place, 'Errors', 'of every judged figure, %; the line is what it may be', {
  data: {
    labels: judged.map(row => `${row.paper}: ${row.quantity}`),
    datasets: [
      {type: 'bar', label: 'error', data: judged.map(row => row.error_percent),
        backgroundColor: judged.map(row => colours[row.status])},
      {type: 'line', label: 'tolerance', data: judged.map(row => row.tolerance_percent), borderColor: palette[7],
        borderWidth: 1.5, pointRadius: 0, stepped: 'middle'},
      {type: 'line', label: '-tolerance', data: judged.map(row => -row.tolerance_percent), borderColor: palette[7],
        borderWidth: 1.5, pointRadius: 0, stepped: 'middle'},
    ],
  },
  options: {
    scales: {x: {ticks: {display: false}}, y: axis('%')},
    plugins: {legend: {display: false}, tooltip: {callbacks: {label: at => {
      const row = judged[at.dataIndex];
      return `${number(row.simulated)} ${row.unit} for ${number(row.published)} (${row.claim}): ${row.error_percent.toFixed(1)} %`;
    }}}},
  },
}, true);
for (const plot of plots) chart(place, plot.title, '', {
  type: 'line',
  data: {labels: plot.places, datasets: plot.lines.map((one, i) => ({label: one.name, data: one.values,
    borderColor: palette[i % palette.length], backgroundColor: palette[i % palette.length], pointRadius: 2.5}))},
  options: {interaction: {mode: 'index', intersect: false},
    scales: {x: axis(plot.x_label), y: axis(plot.y_label, {beginAtZero: true})}},
}, true, 380);

const text = value => value === null ? '-' : typeof value === 'number' ? number(value) : value;
table(document.getElementById('rows'), ['paper', 'quantity', 'unit', 'published', 'simulated', 'error %', 'tolerance %',
  'claim', 'status', 'source'], rows.map(row => [row.paper, row.quantity, row.unit, text(row.published), text(row.simulated),
  row.error_percent === null ? '' : row.error_percent.toFixed(1), text(row.tolerance_percent), row.claim || '', row.status,
  row.source])).forEach((line, i) => {
  line.cells[8].className = {exact: 'good', within: 'good', outside: 'bad'}[rows[i].status] || '';
  line.cells[9].className = 'words';
});
