import { expect, test } from 'vitest';
import { nextPushState, type PushEvent, type PushState, pushTransitions } from './push-states.ts';

const states = Object.keys(pushTransitions) as PushState[];
const events: PushEvent[] = ['reportedComplete', 'reportedTruncated', 'missed', 'covered'];

test('ends every push in a final state once it is reported completely or covered', () => {
  for (const state of states) {
    const reported = nextPushState(state, 'reportedComplete') ?? state;
    expect(['complete', 'recovered']).toContain(reported);
  }
  expect(nextPushState('lost', 'covered')).toBe('recovered');
});

test('never leaves a final state, and never loses a reported push', () => {
  for (const event of events) {
    expect(nextPushState('complete', event)).toBeUndefined();
    expect(nextPushState('recovered', event)).toBeUndefined();
  }
  for (const state of states.filter((one) => one !== 'unknown')) {
    expect(nextPushState(state, 'missed')).toBeUndefined();
  }
});

test('stores another report of a truncated push only if it is complete', () => {
  expect(nextPushState('truncated', 'reportedTruncated')).toBeUndefined();
  expect(nextPushState('truncated', 'reportedComplete')).toBe('complete');
});
