// SPDX-License-Identifier: Apache-2.0
// All pages use this file: it gives access to the page's data, and holds colours, number formats and charts.
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const dark = matchMedia('(prefers-color-scheme: dark)').matches;
const ink = getComputedStyle(document.documentElement).getPropertyValue('--ink').trim();
const line = getComputedStyle(document.documentElement).getPropertyValue('--line').trim();
// The palette is Okabe and Ito's, which colour-blind readers can tell apart, followed by lighter shades of it.
const palette = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#56b4e9', '#cc79a7', '#b8a800', '#8c8c8c',
  '#66aad0', '#f0c566', '#66c4ab', '#e69e66', '#9dd2f1', '#e0afca'];
const number = (value, digits = 4) => Number.isInteger(value) ? value.toLocaleString('en')
  : Number(value.toPrecision(digits)).toLocaleString('en', {maximumSignificantDigits: digits});

function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// Builds a table with column heads. Returns each row's element with its texts.
function table(into, heads, rows) {
  const made = into.appendChild(element('div', undefined, {class: 'scroll'})).appendChild(element('table'));
  const head = made.createTHead().insertRow();
  for (const text of heads) head.appendChild(element('th', text));
  const body = made.createTBody();
  return rows.map(cells => {
    const row = body.insertRow();
    for (const text of cells) row.insertCell().textContent = text;
    return row;
  });
}

Chart.defaults.color = ink;
Chart.defaults.borderColor = line;
Chart.defaults.font.family = 'system-ui, sans-serif';
Chart.defaults.animation = false;
Chart.defaults.maintainAspectRatio = false;

const charts = [];
function chart(into, title, remark, config, wide = false, height = 0) {
  const figure = into.appendChild(element('figure', undefined, wide ? {class: 'wide'} : {}));
  const caption = figure.appendChild(element('figcaption', title + ' '));
  caption.appendChild(element('span', remark));
  const box = figure.appendChild(element('div', undefined, {class: 'canvas'}));
  if (height > 0) box.style.height = height + 'px';
  charts.push(new Chart(box.appendChild(element('canvas', undefined, {role: 'img', 'aria-label': title})), config));
  return charts[charts.length - 1];
}
const axis = (text, more = {}) => ({title: {display: true, text}, ...more});
addEventListener('beforeprint', () => charts.forEach(one => one.resize()));
// Tests read this to see whether the page came up.
addEventListener('load', () => { document.documentElement.dataset.charts = charts.length; });
