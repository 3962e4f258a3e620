import type { Operator, Predicate, QualifierValue } from '@sightline/contract/timeline/query-language/ast.ts';
import { type Clock, dateRangeOf } from '@sightline/contract/timeline/query-language/dates.ts';
import { weekdays } from '@sightline/contract/timeline/query-language/keys.ts';
import { allEvents, or, type StoreCondition } from '../store/condition.ts';
import { hashTerm } from '../terms.ts';
import { valueTextsOf } from './scene.ts';

/** The condition on the pull request number. */
export function pullRequestCondition(test: Predicate): StoreCondition {
  switch (test.kind) {
    case 'exists':
      return { is: 'present', column: 'pr' };
    case 'any':
      return eventsOfPullRequests(valueTextsOf(test).map(Number));
    case 'range':
      return {
        is: 'numbered',
        from: test.from ? Number(test.from.text) : null,
        to: test.to ? Number(test.to.text) : null,
      };
    case 'compare': {
      const number = Number(test.value.text);
      if (test.operator === '>' || test.operator === '>=')
        return { is: 'numbered', from: test.operator === '>' ? number + 1 : number, to: null };
      return { is: 'numbered', from: null, to: test.operator === '<' ? number - 1 : number };
    }
  }
}

export const eventsOfPullRequests = (numbers: readonly number[]): StoreCondition => ({
  is: 'column',
  column: 'pr',
  any: [...new Set(numbers)],
  terms: [...new Set(numbers)].map((number) => hashTerm(`pr\n${number}`)),
});

/** The condition on the time of an event. */
export function timeCondition(key: 'after' | 'before' | 'on' | 'date', test: Predicate, clock: Clock): StoreCondition {
  const rangeOf = ({ text }: QualifierValue) => {
    const { from, to } = dateRangeOf(text, clock);
    // A point in time covers one millisecond, the precision of events.
    return { from, to: Math.max(to, from + 1) };
  };
  switch (test.kind) {
    case 'exists':
      return allEvents;
    case 'any':
      return or(
        ...test.values.map((value): StoreCondition => {
          const { from, to } = rangeOf(value);
          if (key === 'after') return { is: 'time', from, to: null };
          return key === 'before' ? { is: 'time', from: null, to: from } : { is: 'time', from, to };
        }),
      );
    case 'range':
      return {
        is: 'time',
        from: test.from ? rangeOf(test.from).from : null,
        to: test.to ? rangeOf(test.to).to : null,
      };
    case 'compare': {
      const { from, to } = rangeOf(test.value);
      if (test.operator === '>') return { is: 'time', from: to, to: null };
      if (test.operator === '>=') return { is: 'time', from, to: null };
      return { is: 'time', from: null, to: test.operator === '<' ? from : to };
    }
  }
}

/** The condition on the weekday or hour of an event. A range of hours may pass midnight: `hour:22..5`. */
export function clockCondition(unit: 'weekday' | 'hour', test: Predicate, { offset }: Clock): StoreCondition {
  if (test.kind === 'exists') return allEvents;
  const any =
    unit === 'weekday'
      ? valueTextsOf(test as Predicate & { kind: 'any' }).map((day) => (weekdays as readonly string[]).indexOf(day))
      : hoursOf(test);
  return { is: 'clock', unit, any, offset };
}

function hoursOf(test: Exclude<Predicate, { kind: 'exists' }>): number[] {
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  switch (test.kind) {
    case 'any':
      return valueTextsOf(test).map(Number);
    case 'range': {
      const [from, to] = [Number(test.from?.text ?? 0), Number(test.to?.text ?? 23)];
      return hours.filter((hour) => (from <= to ? hour >= from && hour <= to : hour >= from || hour <= to));
    }
    case 'compare': {
      const value = Number(test.value.text);
      return hours.filter((hour) => comparisons[test.operator](hour, value));
    }
  }
}

const comparisons: Record<Operator, (one: number, other: number) => boolean> = {
  '>=': (one, other) => one >= other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '<': (one, other) => one < other,
};
