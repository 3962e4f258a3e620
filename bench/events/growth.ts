// node bench/events/growth.ts FILE…: prints the figures of `npm run bench -- explore` at several sizes, as the tables
// of docs/scale.md.
import { readFile } from 'node:fs/promises';

type Figures = Record<string, string | number> & { benchmark: string; name: string };

const lines = (await Promise.all(process.argv.slice(2).map((file) => readFile(file, 'utf8')))).join('\n').split('\n');
const rows = lines.filter((line) => line.startsWith('{"benchmark"')).map((line) => JSON.parse(line) as Figures);

/** Returns the rows of a benchmark by the size in its name. */
function sizesOf(pattern: RegExp): [total: number, rows: Figures[]][] {
  const found = Map.groupBy(rows, ({ benchmark }) => Number(pattern.exec(benchmark)?.[1] ?? 0));
  return [...found].filter(([total]) => total > 0).toSorted(([one], [other]) => one - other);
}

const counted = (total: number) => total.toLocaleString('en').replaceAll(',', ' ');
const print = (cells: readonly (string | number)[][]) => {
  const [head = [], ...others] = cells;
  const line = (row: readonly (string | number)[]) => console.log(`| ${row.join(' | ')} |`);
  line(head);
  line(head.map((_, place) => (place === 0 ? '---' : '---:')));
  for (const row of others) line(row);
  console.log('');
};

/** Notes the number of events of a page that is not full. */
const fewer = ({ events }: Figures) => (Number(events) < 200 ? ` (${events} events)` : '');

const pages = sizesOf(/^explore at (\d+) events$/);
const names = [...new Set(pages.flatMap(([, of]) => of.map(({ name }) => name)))].filter((name) => / c=1$/.test(name));
print([
  [
    'p50 / p99 in ms, one connection',
    ...pages.map(([total]) => counted(total)),
    'times the bare SQL',
    'an event, last : one before',
  ],
  ...names.map((name) => {
    const of = pages.map(([, figures]) => figures.find((one) => one.name === name));
    const [before, last] = [of.at(-2), of.at(-1)].map((one) => Number(one?.['p50 ms']) / Number(one?.events));
    return [
      name.replace(/, c=1$/, ''),
      ...of.map((one) => (one ? `${one['p50 ms']} / ${one['p99 ms']}${fewer(one)}` : '')),
      of.at(-1)?.ratio ?? '',
      before && last ? (last / before).toFixed(1) : '',
    ];
  }),
]);
const many = [...new Set(pages.flatMap(([, of]) => of.map(({ name }) => name)))].filter((name) => !/ c=1$/.test(name));
print([
  ['pages a second, several connections', ...pages.map(([total]) => counted(total))],
  ...many.map((name) => [
    name.replace(/c=(\d+)$/, '$1 at once'),
    ...pages.map(([, figures]) => {
      const one = figures.find((row) => row.name === name);
      return one ? `${one['req/s']} (p99 ${one['p99 ms']} ms)` : '';
    }),
  ]),
]);
// The tail of the last size, beside that of a server that only answers with the same bytes.
const tails = pages.at(-1)?.[1].filter((one) => one['p99 : p50'] !== undefined) ?? [];
print([
  ['at the last size', 'p50 ms', 'p99 ms', 'p99 : p50', 'of a bare server', 'longest collection, ms'],
  ...tails.map((one) => [
    one.name.replace(/c=(\d+)$/, '$1 at once'),
    one['p50 ms'] ?? '',
    one['p99 ms'] ?? '',
    one['p99 : p50'] ?? '',
    one['bare p99 : p50'] ?? '',
    Math.max(Number(one['longest minor ms']), Number(one['longest major ms'])),
  ]),
]);
const sizes = sizesOf(/^what (\d+) events take$/);
const tables = [...new Set(sizes.flatMap(([, of]) => of.map(({ name }) => name)))];
print([
  ['table with its indexes, MB', ...sizes.map(([total]) => counted(total)), 'bytes per event at the last'],
  ...tables.map((name) => {
    const of = sizes.map(([, figures]) => figures.find((one) => one.name === name));
    return [
      `\`${name}\``,
      ...of.map((one) => (one ? Number(one['table MB']) + Number(one['indexes MB']) : '')),
      of.at(-1)?.['bytes per event'] ?? '',
    ];
  }),
]);
