import type { EventGroups, exportEventChart, WeekHours } from '@sightline/contract/timeline/event-groups.ts';
import { weekdays } from '@sightline/contract/timeline/query-language/keys.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { byteOrderMark, csvRow } from '#core/csv.ts';
import { recordExport } from '#core/exports.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { findGroups } from './groups.ts';
import { timeOf } from './periods.ts';
import { findWeekHours } from './week-hours.ts';

const HOURS_PER_DAY = 24;
const PREVIOUS = 'previous period';

type ChartQuestion = z.output<typeof exportEventChart.body>;

/** Exports the numbers of a chart as CSV: a row for each group, interval or hour. Headers say if they are estimates. */
export async function exportChart(
  services: Services,
  actor: Actor,
  { kind, ...question }: ChartQuestion,
): Promise<FileAnswer> {
  const rows = await rowsOf(services, actor, { kind, ...question });
  const fileOf = await services.database.withOrg(actor.orgId, (tx) =>
    recordExport(tx, services, actor, {
      of: 'event-chart',
      format: 'csv',
      entry: {
        action: 'event.exported',
        subject: { kind: 'organization', id: actor.orgId },
        data: {
          format: 'csv',
          chart: kind === 'hours' ? kind : `${kind} by ${question.by}`,
          ...(question.context !== undefined && { context: question.context }),
        },
        // A query may name a person.
        ...(question.query !== '' && { personal: { query: question.query } }),
      },
    }),
  );
  return fileOf(textOf(rows), rows.length - 1);
}

async function* textOf(rows: readonly string[][]): AsyncGenerator<string> {
  yield `${byteOrderMark}${rows.map(csvRow).join('')}`;
}

async function rowsOf(
  services: Services,
  actor: Actor,
  { kind, by, top, ...question }: ChartQuestion,
): Promise<string[][]> {
  if (kind === 'hours') return hourRows(await findWeekHours(services, actor, question));
  const found = await findGroups(services, actor, { ...question, by, top });
  return kind === 'bars' ? groupRows(found, by) : intervalRows(found);
}

const headerOf = (text: string, sample: EventGroups['sample']) => (sample ? `${text} (approximate)` : text);

/** The groups in the order of the chart; the groups of other values and of none only if they have events. */
function namedGroups({ groups, other, without }: EventGroups) {
  const hasEvents = ({ count, previous }: typeof without) => count > 0 || (previous?.count ?? 0) > 0;
  return [
    ...groups,
    ...(hasEvents(other)
      ? [{ ...other, label: !other.values ? 'others' : `${other.values} others`, value: null }]
      : []),
    ...(hasEvents(without) ? [{ ...without, label: 'without', value: null }] : []),
  ];
}

function groupRows(found: EventGroups, by: ChartQuestion['by']): string[][] {
  const isCompared = found.previous !== null;
  return [
    [by, headerOf('events', found.sample), ...(isCompared ? [headerOf(PREVIOUS, found.sample)] : [])],
    ...namedGroups(found).map(({ label, count, previous }) => [
      label,
      String(count),
      ...(isCompared ? [String(previous?.count ?? 0)] : []),
    ]),
  ];
}

function intervalRows(found: EventGroups): string[][] {
  const groups = namedGroups(found);
  const isCompared = found.previous !== null;
  const start = Date.parse(found.start);
  return [
    [
      'from',
      ...groups.flatMap(({ label }) => [
        headerOf(label, found.sample),
        ...(isCompared ? [headerOf(`${label}, ${PREVIOUS}`, found.sample)] : []),
      ]),
    ],
    ...found.other.counts.map((_, index) => [
      timeOf(start + index * found.interval * 1000),
      ...groups.flatMap(({ counts, previous }) => [
        String(counts[index] ?? 0),
        ...(isCompared ? [String(previous?.counts[index] ?? 0)] : []),
      ]),
    ]),
  ];
}

function hourRows({ hours, previous, sample }: WeekHours): string[][] {
  return [
    [
      'hour',
      ...weekdays.flatMap((day) => [
        headerOf(day, sample),
        ...(previous ? [headerOf(`${day}, ${PREVIOUS}`, sample)] : []),
      ]),
    ],
    ...Array.from({ length: HOURS_PER_DAY }, (_, hour) => [
      String(hour),
      ...weekdays.flatMap((_, day) => {
        const place = day * HOURS_PER_DAY + hour;
        return [String(hours[place] ?? 0), ...(previous ? [String(previous.hours[place] ?? 0)] : [])];
      }),
    ]),
  ];
}
