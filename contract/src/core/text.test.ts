import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { boundedText, commaList, timestamp } from './text.ts';

describe('text', () => {
  test.each([
    ['', true],
    ['Zoë Ångström 田中 👩‍💻', true],
    ['a'.repeat(20), true],
    ['a'.repeat(21), false],
    ['a\0b', false],
    ['\ud800', false],
    ['a\udc00b', false],
    ['\ud83d\ude00', true],
  ])('reads %j of at most 20 as %s', (value, good) => {
    expect(boundedText(20).safeParse(value).success).toBe(good);
  });

  test('accepts only text that UTF-8 preserves', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
        (value) => {
          const passes = boundedText(1000).safeParse(value).success;
          const survives = Buffer.from(value, 'utf8').toString('utf8') === value && !value.includes('\0');
          expect(passes).toBe(survives);
        },
      ),
    );
  });
});

describe('instant', () => {
  test.each([
    ['1970-01-01T00:00:00Z', true],
    ['1970-01-01T00:30:00+01:00', false],
    ['1969-12-31T23:59:59.999Z', false],
    ['2100-12-31T23:59:59.999Z', true],
    ['2101-01-01T00:00:00Z', false],
    ['2100-12-31T23:30:00-01:00', false],
    ['2026-02-28T12:00:00+02:00', true],
    ['2026-02-28T12:00:00.123456Z', true],
    ['2026-02-30T12:00:00Z', false],
    ['2026-13-01T12:00:00Z', false],
    ['0000-01-01T00:00:00Z', false],
    ['9999-12-31T23:59:60Z', false],
    ['2016-12-31T23:59:60Z', false],
    ['2026-02-28', false],
    ['2026-02-28T12:00:00', false],
    ['2026-02-28 12:00:00Z', false],
    ['now', false],
    ['', false],
  ])('reads %j as %s', (value, good) => {
    expect(timestamp.safeParse(value).success).toBe(good);
  });
});

describe('commaList', () => {
  const list = commaList(z.enum(['a', 'b', 'c']), 2);
  test.each([
    [undefined, []],
    ['', []],
    [',,', []],
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    ['b,a,b', ['b', 'a']],
    ['a,,b,', ['a', 'b']],
  ])('reads %j as %j', (value, items) => {
    expect(list.parse(value)).toEqual(items);
  });
  test.each(['a,d', 'a,b,c', ' a', 'a'.repeat(5000)])('rejects %.20s', (value) => {
    expect(list.safeParse(value).success).toBe(false);
  });
  test('rejects a repeated parameter', () => {
    expect(list.safeParse(['a', 'b']).success).toBe(false);
  });
});
