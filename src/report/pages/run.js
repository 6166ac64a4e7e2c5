// SPDX-License-Identifier: Apache-2.0
// This page reports a run. Its figures are those of the run's JSON.
'use strict';
const {report, machine} = data;
const ran = report.layers.filter(layer => layer.cycles > 0);
const place = document.getElementById('charts');
const percent = (part, whole) => whole > 0 ? (100 * part / whole).toFixed(1) : '';

// The headline comes first.
const cards = document.getElementById('cards');
function card(name, value, kind = '') {
  const made = cards.appendChild(element('div', undefined, {class: 'card'}));
  made.appendChild(element('b', value, {class: kind}));
  made.appendChild(element('span', name, {class: 'soft'}));
}
if (report.frames_per_s !== undefined) card('frames/s', number(report.frames_per_s));
card(report.pictures > 1 ? `ms for ${report.pictures} frames at once` : 'ms', number(report.total.seconds * 1e3, 6));
if (report.time_range) {
  const ms = cycles => number(cycles / report.clock_hz * 1e3);
  card('ms by the ranges of its constants', `${ms(report.time_range.least_cycles)} to ${ms(report.time_range.most_cycles)}`);
}
card(`cycles at ${number(report.clock_hz / 1e6)} MHz`, number(report.total.cycles));
card('GOPS', number(report.total.gops));
card('of the multipliers busy', percent(report.total.mac_utilisation, 1) + ' %');
if (report.energy_mj !== undefined) card('mJ a frame in the chip (estimated)', number(report.energy_mj));
const {energy} = report;
const between = spread => `${number(spread.low, 3)} to ${number(spread.high, 3)}`;
if (energy) card('mJ a frame in the memory (estimated)', between(energy.ddr_mj));
card(`W (estimated), Fmax ${number(report.fmax_hz / 1e6, 3)} MHz`, number(report.power_w, 3));
if (report.total.cycles > 0) {
  card('ms of the fabric', number(report.total.fabric_seconds * 1e3, 6));
  card('ms waiting for the host', number(report.total.host_seconds * 1e3, 6));
}
if (report.total.on_host_cycles) card('in software on the host', percent(report.total.on_host_cycles, report.total.cycles) + ' %');
card('outputs', machine.verified === null ? 'not verified' : machine.verified ? 'verified' : 'WRONG',
  machine.verified === null ? '' : machine.verified ? 'good' : 'bad');

// This chart shows where the cycles went.
const buckets = Object.keys(report.total.buckets).filter(name => report.total.buckets[name] > 0);
chart(place, 'Where the cycles went', 'cycles of each layer by what the machine did', {
  type: 'bar',
  data: {
    labels: ran.map(layer => layer.name),
    datasets: buckets.map((name, i) => ({label: name, data: ran.map(layer => layer.buckets[name]),
      backgroundColor: palette[i % palette.length]})),
  },
  options: {
    indexAxis: 'y',
    scales: {x: axis('cycles', {stacked: true}), y: {stacked: true, ticks: {autoSkip: false}}},
    plugins: {tooltip: {callbacks: {label: at =>
      `${at.dataset.label}: ${number(at.raw)} cycles, ${percent(at.raw, ran[at.dataIndex].cycles)} %`}}},
  },
}, true, 110 + 22 * ran.length);

// The roofline sets operations per byte against operations per second.
const bytes = layer => layer.bytes_read + layer.bytes_written;
const computing = ran.filter(layer => layer.ops > 0 && bytes(layer) > 0);
if (computing.length > 0 && machine.peak_gb_per_s > 0) {
  const peak = machine.peak_gops, slope = machine.peak_gb_per_s, knee = peak / slope;
  const intensity = computing.map(layer => layer.ops / bytes(layer));
  const low = Math.min(...intensity, knee) / 3, high = Math.max(...intensity, knee) * 3;
  chart(place, 'Roofline', `${number(peak)} GOPS, ${number(slope)} GB/s of the memory's ports`, {
    data: {
      datasets: [
        {type: 'line', label: 'roof', data: [{x: low, y: low * slope}, {x: knee, y: peak}, {x: high, y: peak}],
          borderColor: palette[3], pointRadius: 0, borderWidth: 2},
        {type: 'scatter', label: 'layers', data: computing.map((layer, i) => ({x: intensity[i], y: layer.gops})),
          backgroundColor: palette[0], pointRadius: 5},
      ],
    },
    options: {
      scales: {x: axis('operations a byte', {type: 'logarithmic'}), y: axis('GOPS', {type: 'logarithmic'})},
      plugins: {tooltip: {callbacks: {label: at => at.dataset.type === 'line' ? `roof ${number(at.raw.y)} GOPS`
        : `${computing[at.dataIndex].name}: ${number(at.raw.y)} GOPS at ${number(at.raw.x)} operations a byte`}}},
    },
  });
}

// This chart shows the bandwidth over time, with one step for each layer.
const steps = of => {
  let time = 0;
  const points = [];
  for (const layer of ran) {
    const there = of(layer);
    points.push({x: time, layer: layer.name, ...there});
    time += layer.seconds * 1e3;
    points.push({x: time, layer: layer.name, ...there});
  }
  return points;
};
chart(place, 'Bandwidth', 'mean of each layer, in the order of time', {
  type: 'line',
  data: {datasets: [['read_gb_per_s', 'read'], ['write_gb_per_s', 'written']].map(([key, label], i) => ({
    label, data: steps(layer => ({y: layer[key]})), borderColor: palette[i], backgroundColor: palette[i] + '40', fill: 'origin', pointRadius: 0,
    borderWidth: 1.5}))},
  options: {
    interaction: {mode: 'nearest', axis: 'x', intersect: false},
    scales: {x: axis('ms', {type: 'linear'}), y: axis('GB/s', {beginAtZero: true})},
    plugins: {tooltip: {callbacks: {title: at => at[0].raw.layer,
      label: at => `${at.dataset.label}: ${number(at.raw.y)} GB/s`}}},
  },
});

// This chart shows what the on-chip buffers hold: the maximum of each layer, from the program that both engines run.
if (machine.buffers) {
  const uses = ran.flatMap(layer => machine.buffers[layer.name] || []);
  const names = [...new Set(uses.filter(use => use.most > 0).map(use => use.name))];
  const held = name => layer => {
    const use = (machine.buffers[layer.name] || []).find(one => one.name === name);
    return use ? {y: 100 * use.most / use.capacity, use} : {y: 0};
  };
  chart(place, 'On-chip buffers', 'the most that each layer has in them, by its program, in the order of time', {
    type: 'line',
    data: {datasets: names.map((name, i) => ({label: name, data: steps(held(name)), borderColor: palette[i % palette.length],
      backgroundColor: palette[i % palette.length], pointRadius: 0, borderWidth: 2}))},
    options: {
      interaction: {mode: 'nearest', axis: 'x', intersect: false},
      scales: {x: axis('ms', {type: 'linear'}), y: axis('% of the buffer', {min: 0, max: 100})},
      plugins: {tooltip: {callbacks: {title: at => at[0].raw.layer, label: at => at.raw.use
        ? `${at.dataset.label}: ${number(at.raw.use.most)} of ${number(at.raw.use.capacity)} ${at.raw.use.unit}`
        : `${at.dataset.label}: nothing`}}},
    },
  }, true, 280);
}

// This chart compares the resources with those of the device, by block.
const kinds = [['dsp', 'DSP'], ['lut', 'LUT'], ['ff', 'FF'], ['bram36', 'BRAM36'], ['uram', 'URAM']]
  .filter(([key]) => report.device[key] > 0 && report.resources[key] > 0);
const blocks = machine.blocks.map(block => ({...block,
  share: Math.max(...kinds.map(([key]) => block[key] / report.device[key]))})).sort((a, b) => b.share - a.share);
chart(place, 'Resources', `of ${report.device.name}, by block (estimated)`, {
  type: 'bar',
  data: {
    labels: kinds.map(([key, name]) => `${name} ${percent(report.resources[key], report.device[key])} %`),
    datasets: blocks.map((block, i) => ({label: block.name, backgroundColor: palette[i % palette.length],
      data: kinds.map(([key]) => 100 * block[key] / report.device[key])})),
  },
  options: {
    indexAxis: 'y',
    scales: {x: axis('% of the device', {stacked: true, beginAtZero: true}), y: {stacked: true}},
    plugins: {legend: {display: blocks.length <= 12}, tooltip: {callbacks: {label: at =>
      `${at.dataset.label}: ${number(blocks[at.datasetIndex][kinds[at.dataIndex][0]])}`}}},
  },
}, true, 340);

// The table of the layers comes last.
const heads = ['layer', 'type', 'cycles', 'ms', 'GOPS', 'MAC %', 'read MB', 'written MB',
  ...buckets.map(name => name + ' %')];
const cells = layer => [layer.name || 'total', layer.type || '', number(layer.cycles), (layer.seconds * 1e3).toFixed(3),
  layer.gops.toFixed(1), percent(layer.mac_utilisation, 1), (layer.bytes_read / 1e6).toFixed(3),
  (layer.bytes_written / 1e6).toFixed(3), ...buckets.map(name => percent(layer.buckets[name], layer.cycles))];
const rows = table(document.getElementById('layers'), heads, [...report.layers, report.total].map(cells));
rows.forEach((row, i) => { row.dataset.cycles = [...report.layers, report.total][i].cycles; });

// The energy of a frame, by what is a constant, and level by level.
if (energy) {
  const ways = [['processing system', energy.chip_mj.processing_system, energy.processing_system_source],
    ['static', energy.chip_mj.static, 'power times time'], ['blocks', energy.chip_mj.blocks, 'power times time, 12.5 % toggling']];
  const place = document.getElementById('energy');
  table(place, ['in the chip', 'mJ', 'from'], ways.map(([name, mj, from]) => [name, number(mj), from]));
  const pj = level => [level.pj_each.low, level.pj_each.typical, level.pj_each.high].map(value => number(value, 3));
  table(place, ['level', 'times', 'low pJ', 'typical', 'high', 'mJ', 'from'], [
    ...energy.levels.map(level => [level.level, `${number(level.count)} ${level.unit}`, ...pj(level), between(level.mj), level.source]),
    ['memory devices', 'all the time', '', '', '', between(energy.ddr_standby_mj), 'standby to refreshing, by DDR4 currents (Micron 8 Gb)']]);
}
