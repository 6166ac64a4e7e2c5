// SPDX-License-Identifier: Apache-2.0
// This page shows a fault campaign. Its figures are those of the campaign's JSON.
'use strict';
const {outcomes, places, faults, total} = data;
const percent = share => share === undefined ? '' : number(100 * share, 3);

const cards = document.getElementById('cards');
function card(name, value) {
  const made = cards.appendChild(element('div', undefined, {class: 'card'}));
  made.appendChild(element('b', value));
  made.appendChild(element('span', name, {class: 'soft'}));
}
card('faults', number(total.faults));
for (const outcome of outcomes)
  if (total.outcomes[outcome.name] > 0) card(outcome.name, number(total.outcomes[outcome.name]));
card('top-1 changed', number(total.top1_changed));
card('vulnerable, %', percent(data.vulnerable_share));

const into = document.getElementById('charts');
const hit = places.filter(place => place.faults > 0);
const height = 90 + 26 * hit.length;
const bars = {indexAxis: 'y', interaction: {mode: 'index', axis: 'y'}};
chart(into, 'Outcomes', 'of the faults of each place', {
  type: 'bar',
  data: {
    labels: hit.map(place => place.place),
    datasets: outcomes.filter(outcome => total.outcomes[outcome.name] > 0).map((outcome, i) => ({
      label: outcome.name, data: hit.map(place => place.outcomes[outcome.name]), backgroundColor: palette[i]})),
  },
  options: {...bars, scales: {x: axis('faults', {stacked: true}), y: {stacked: true}}},
}, true, height);
chart(into, 'Vulnerable', 'share of faults that are neither masked nor recovered, %, with 95 %', {
  type: 'bar',
  data: {
    labels: hit.map(place => place.place),
    datasets: [
      {label: 'share', data: hit.map(place => 100 * place.vulnerable), backgroundColor: palette[3], grouped: false,
        barPercentage: 0.8},
      {label: '95 %', data: hit.map(place => [100 * place.vulnerable_least, 100 * place.vulnerable_most]),
        backgroundColor: ink, grouped: false, barPercentage: 0.12},
    ],
  },
  options: {...bars, scales: {x: axis('%', {min: 0, max: 100})}},
}, true, height);

const shown = outcomes.filter(outcome => total.outcomes[outcome.name] > 0);
table(document.getElementById('places'),
  ['place', 'of', 'bits', 'faults', ...shown.map(outcome => outcome.name), 'vulnerable %', '95 %', 'top-1'],
  [...places, total].map(place => [place.place, place.of ?? '', place.bits === undefined ? '' : number(place.bits),
    number(place.faults), ...shown.map(outcome => number(place.outcomes[outcome.name])), percent(place.vulnerable),
    place.faults > 0 ? `${percent(place.vulnerable_least)}..${percent(place.vulnerable_most)}` : '',
    number(place.top1_changed)]));
table(document.getElementById('faults'),
  ['fault', 'outcome', 'first wrong layer', 'wrong values', 'top-1 changed', 'cycles lost', ''],
  faults.map(fault => [fault.fault, fault.outcome, fault.first_wrong ?? '', number(fault.wrong_values),
    fault.top1_changed ? 'yes' : '', number(fault.lost_cycles), fault.note ?? '']));
