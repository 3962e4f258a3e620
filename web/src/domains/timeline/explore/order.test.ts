import { type Event, specifiedEventKind } from '@sightline/contract/timeline/events.ts';
import { expect, test } from 'vitest';
import { newestFirst } from './order.ts';

test('orders causes below effects within one second, and keeps the order of others', () => {
  const second = '2026-11-20T20:01:19Z';
  const events = [
    newEvent('c', 'commit', '2026-11-20T20:01:20Z', '{0} committed {1}'),
    newEvent('approved', 'pull_request', second, '{0} approved {1} in {3} {4}'),
    newEvent('a', 'commit', second, '{0} committed {1}'),
    newEvent('merged', 'pull_request', second, '{1} was merged into {2} in {3} {4}'),
    newEvent('opened', 'pull_request', second, '{0} opened {1} in {3} {4}'),
    newEvent('b', 'commit', second, '{0} committed {1}'),
  ];
  expect(newestFirst(events).map(({ uuid }) => uuid)).toEqual(['c', 'merged', 'approved', 'opened', 'a', 'b']);
});

const newEvent = (uuid: string, type: Event['type'], as_of: string, phrase: string): Event => ({
  uuid,
  kind: specifiedEventKind(type),
  type,
  as_of,
  receivedAt: as_of,
  source: 'github',
  summary: { phrase, parameters: [] },
});
