// node bench/events/scale.ts [--NAME NUMBER…] [FILE…]: prints the arithmetic of bytes, cores and cost for many events, as
// the tables of docs/scale.md. Measured values are read from logs of `npm run bench -- cells`, the others are assumptions,
// which options replace: `--events 1e9 --price-block 0.05`.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** Every input of the arithmetic: its default, its unit, and where it comes from. */
const inputs = {
  events: [10e9, 'events', 'kept at once'],
  months: [13, 'months', 'retention, the default of the product'],
  developer: [56_000, 'events', 'per developer in a year: 200 on each of 280 working days, an estimate'],
  peak: [10, 'times', 'the busiest second compared with the average one, assumed'],
  // docs/scale.md, a million events of half a year in rows.
  'row-bytes': [3641, 'bytes', 'per event as rows, with indexes, word lists and ledger entry'],
  'row-days': [30, 'days', 'kept as rows beside an archive'],
  'archive-bytes': [510, 'bytes', 'per archived event, with its ledger entry'],
  'ingest-server': [40, 'ms', 'CPU of the server for 1,000 events'],
  'ingest-postgres': [60, 'ms', 'CPU of PostgreSQL for 1,000 events'],
  'page-server': [2, 'ms', 'CPU of the server for a page of Explore'],
  'page-postgres': [4, 'ms', 'CPU of PostgreSQL for a page of Explore'],
  active: [0.02, 'share', 'of developers who read the timeline in the busiest minute, assumed'],
  interval: [10, 'seconds', 'between pages of an active reader, assumed'],
  hot: [7, 'days', 'whose rows and lists should be in memory, assumed'],
  headroom: [0.5, 'share', 'of the cores of a machine that the busiest second uses, assumed'],
  copies: [2, 'machines', 'with the same rows: a primary and a standby, assumed'],
  'cell-cores': [16, 'cores', 'of the PostgreSQL of a cell, assumed'],
  'cell-memory': [128, 'GB', 'of memory of the PostgreSQL of a cell, assumed'],
  'cell-disk': [4000, 'GB', 'of disk of the PostgreSQL of a cell, assumed'],
  full: [0.75, 'share', 'of disk and memory that data may use, assumed'],
  'price-core': [37, 'USD', 'a month for a vCPU with 4 GB'],
  'price-memory': [3.5, 'USD', 'a month for each further GB of memory'],
  'price-block': [0.08, 'USD', 'a month for a GB of block storage'],
  'price-object': [0.023, 'USD', 'a month for a GB of object storage'],
} as const satisfies Record<string, readonly [number, string, string]>;
type Input = keyof typeof inputs;
type Values = Record<Input, number>;

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(Object.keys(inputs).map((name) => [name, { type: 'string' as const }])),
});

type Figures = Record<string, string | number> & { benchmark: string; name: string };

/** Returns the means of the measured values in logs: those of one cell. */
function measured(files: readonly string[]): Partial<Values> {
  const rows = files
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => line.startsWith('{"benchmark":"cells'))
    .map((line) => JSON.parse(line) as Figures)
    .filter(({ name }) => name.startsWith('one cell'));
  const mean = (key: string, scale = 1) => {
    // Of pages, those with several connections.
    const found = rows.flatMap((row) => (row[key] === undefined || / c=2$/.test(row.name) ? [] : [Number(row[key])]));
    return found.length === 0 ? undefined : (found.reduce((sum, one) => sum + one, 0) / found.length) * scale;
  };
  const means: [Input, number | undefined][] = [
    ['row-bytes', mean('timeline bytes per event')],
    ['ingest-server', mean('server cpu ms per 1,000')],
    ['ingest-postgres', mean('postgres cpu ms per 1,000')],
    ['page-server', mean('server cpu µs', 1 / 1000)],
    ['page-postgres', mean('postgres cpu µs', 1 / 1000)],
  ];
  return Object.fromEntries(means.filter(([, value]) => value !== undefined)) as Partial<Values>;
}

const fromLogs = measured(positionals);
const values = Object.fromEntries(
  Object.entries(inputs).map(([name, [standard]]) => {
    const text = given[name];
    return [name, text === undefined ? (fromLogs[name as Input] ?? standard) : Number(text)];
  }),
) as Values;
for (const [name, value] of Object.entries(values))
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);

/** The bytes, cores and cost of all events: each as rows, or only those of the last days, beside an archive. */
function demandOf(v: Values, hasArchive: boolean) {
  const days = (v.months * 365) / 12;
  const perDay = v.events / days;
  const asRows = hasArchive ? perDay * Math.min(v['row-days'], days) : v.events;
  const gigabytes = (bytes: number) => bytes / 1e9;
  const rowGb = gigabytes(asRows * v['row-bytes']);
  const archiveGb = gigabytes((v.events - asRows) * v['archive-bytes']);
  const developers = v.events / ((v.developer * v.months) / 12);
  const eventsPerSecond = (perDay / 86_400) * v.peak;
  const pagesPerSecond = (developers * v.active) / v.interval;
  const cores = (ingest: number, page: number) => (eventsPerSecond * ingest) / 1e6 + (pagesPerSecond * page) / 1e3;
  const serverCores = cores(v['ingest-server'], v['page-server']) / v.headroom;
  const postgresCores = cores(v['ingest-postgres'], v['page-postgres']) / v.headroom;
  const hotGb = gigabytes(perDay * Math.min(v.hot, days) * v['row-bytes']);
  const needed = {
    disk: rowGb / (v['cell-disk'] * v.full),
    memory: hotGb / (v['cell-memory'] * v.full),
    cores: postgresCores / v['cell-cores'],
  };
  const cells = Math.ceil(Math.max(...Object.values(needed)));
  const limit = Object.entries(needed).toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? '';
  // A machine of a cell has its memory and cores whether all are needed or not.
  const machine =
    v['cell-cores'] * v['price-core'] + Math.max(0, v['cell-memory'] - 4 * v['cell-cores']) * v['price-memory'];
  const cost = {
    postgres: cells * v.copies * machine,
    server: Math.max(serverCores, 2 * cells) * v['price-core'],
    block: (rowGb / v.full) * v.copies * v['price-block'],
    object: archiveGb * v['price-object'],
  };
  const total = Object.values(cost).reduce((sum, one) => sum + one, 0);
  return {
    perDay,
    asRows,
    rowGb,
    archiveGb,
    developers,
    eventsPerSecond,
    pagesPerSecond,
    serverCores,
    postgresCores,
    hotGb,
    cells,
    limit,
    cost,
    total,
  };
}

const number = (value: number, digits = value < 10 ? 1 : 0) =>
  value.toLocaleString('en', { maximumFractionDigits: digits });
const print = (rows: readonly (readonly string[])[]) => {
  const [head = [], ...others] = rows;
  console.log(`| ${head.join(' | ')} |\n|${head.map((_, place) => (place === 0 ? '---' : '---:')).join('|')}|`);
  for (const row of others) console.log(`| ${row.join(' | ')} |`);
  console.log('');
};

const all = demandOf(values, false);
const archived = demandOf(values, true);
const both = (of: (demand: ReturnType<typeof demandOf>) => string) => [of(all), of(archived)];
print([
  [
    `${number(values.events)} events, ${number(all.developers)} developers`,
    'all as rows',
    `rows for ${values['row-days']} days, then an archive`,
  ],
  ['events as rows, millions', ...both(({ asRows }) => number(asRows / 1e6))],
  ['rows, indexes and word lists, GB', ...both(({ rowGb }) => number(rowGb))],
  ['archive, GB', ...both(({ archiveGb }) => number(archiveGb))],
  ['events a second, busiest', ...both(({ eventsPerSecond }) => number(eventsPerSecond))],
  ['pages a second, busiest', ...both(({ pagesPerSecond }) => number(pagesPerSecond))],
  ['cores of servers', ...both(({ serverCores }) => number(serverCores))],
  ['cores of PostgreSQL', ...both(({ postgresCores }) => number(postgresCores))],
  [`rows and lists of ${values.hot} days, GB`, ...both(({ hotGb }) => number(hotGb))],
  ['cells', ...both(({ cells, limit }) => `${number(cells)} (by ${limit})`)],
  ['USD a month: machines of PostgreSQL', ...both(({ cost }) => number(cost.postgres))],
  ['USD a month: servers and workers', ...both(({ cost }) => number(cost.server))],
  ['USD a month: block storage', ...both(({ cost }) => number(cost.block))],
  ['USD a month: object storage', ...both(({ cost }) => number(cost.object))],
  ['USD a month', ...both(({ total }) => number(total))],
  ['USD a month for a developer', ...both(({ total, developers }) => number(total / developers, 2))],
]);
print([
  ['option', 'value', 'unit', 'meaning'],
  ...Object.entries(inputs).map(([name, [, unit, meaning]]) => [
    `\`--${name}\``,
    number(values[name as Input], 3),
    unit,
    `${meaning}${given[name] === undefined && fromLogs[name as Input] !== undefined ? ', measured' : ''}`,
  ]),
]);
