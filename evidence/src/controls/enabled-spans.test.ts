import { expect, test } from 'vitest';
import { recordedDays, recordedWeeks } from './enabled-spans.ts';

const period = { from: '2026-07-01T00:00:00.000Z', end: '2026-07-06T12:00:00.000Z' };
const at = (text: string) => `2026-07-${text}:00.000Z`;
const since = '2026-01-01T00:00:00.000Z';

test('records every completed day of a repository that stayed enabled', () => {
  const days = recordedDays([{ from: since, to: null }], period);
  expect(days.map(({ day }) => day)).toEqual(['01', '02', '03', '04', '05'].map((one) => `2026-07-${one}`));
  expect(days[0]).toEqual({ day: '2026-07-01', until: at('02T00:00'), disabled: [] });
});

test('keeps a day on which the repository was disabled for 30 seconds', () => {
  const pause = { from: at('03T10:00'), to: '2026-07-03T10:00:30.000Z' };
  const days = recordedDays(
    [
      { from: since, to: pause.from },
      { from: pause.to, to: null },
    ],
    period,
  );
  expect(days).toHaveLength(5);
  expect(days.map(({ disabled }) => disabled)).toEqual([[], [], [pause], [], []]);
});

test('keeps the days between two times in which it was enabled', () => {
  const days = recordedDays(
    [
      { from: since, to: at('02T10:00') },
      { from: at('04T10:00'), to: null },
    ],
    period,
  );
  expect(days.map(({ disabled }) => disabled)).toEqual([
    [],
    [{ from: at('02T10:00'), to: at('03T00:00') }],
    [{ from: at('03T00:00'), to: at('04T00:00') }],
    [{ from: at('04T00:00'), to: at('04T10:00') }],
    [],
  ]);
});

test('begins on the day after it was enabled first, and ends when it was disabled for good', () => {
  expect(recordedDays([{ from: at('02T10:00'), to: at('04T18:00') }], period)).toEqual([
    { day: '2026-07-03', until: at('04T00:00'), disabled: [] },
    { day: '2026-07-04', until: at('04T18:00'), disabled: [] },
  ]);
  expect(recordedDays([{ from: at('02T00:00'), to: at('04T00:00') }], period).map(({ day }) => day)).toEqual([
    '2026-07-02',
    '2026-07-03',
  ]);
  expect(recordedDays([], period)).toEqual([]);
});

test('records every completed week, with the disabled times of the 31 days before its end', () => {
  const weeks = { from: period.from, end: '2026-07-31T00:00:00.000Z' };
  const spans = [
    { from: since, to: at('01T10:00') },
    { from: at('01T10:01'), to: at('21T12:00') },
  ];
  const disabled = [{ from: at('01T10:00'), to: at('01T10:01') }];
  expect(recordedWeeks(spans, weeks)).toEqual([
    { start: '2026-06-29T00:00:00.000Z', enabledAt: since, until: at('06T00:00'), disabled },
    { start: at('06T00:00'), enabledAt: since, until: at('13T00:00'), disabled },
    { start: at('13T00:00'), enabledAt: since, until: at('20T00:00'), disabled },
    { start: at('20T00:00'), enabledAt: since, until: at('21T12:00'), disabled },
  ]);
});
