import { expect, test } from 'vitest';
import * as constants from './timelineConstants.ts';

test('uses the timeline constants of the specification, section 9', () => {
  expect(constants).toMatchObject({
    chunk: 20,
    initialLoad: 200,
    groupingWindow: 30_000,
    groupStep: 10,
    pendingReset: 30_000,
    estimates: { summary: 48, details: 176, group: 20, date: 32 },
    spacing: 8,
    overscan: 5,
  });
});
