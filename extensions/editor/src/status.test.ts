import { expect, test } from 'vitest';
import { statusOf } from './status.ts';

const all = { isSignedIn: true, isEnded: false, isPaused: false, isConnected: true, waiting: 0 };
test.each([
  [{ ...all, isSignedIn: false }, 'signed out'],
  [all, 'connected'],
  [{ ...all, waiting: 2 }, 'connected'],
  [{ ...all, isConnected: false }, 'offline'],
  [{ ...all, isConnected: false, waiting: 3 }, 'offline, 3 queued'],
  [{ ...all, isPaused: true }, 'paused: nothing is recorded'],
  [{ ...all, isSignedIn: false, isEnded: true, waiting: 1 }, 'signed out by the server: sign in again, 1 queued'],
])('shows %j as "%s"', (condition, how) => {
  const { tooltip, label } = statusOf(condition);
  expect(tooltip).toBe(`Sightline: ${how}`);
  expect(label).not.toContain('$(');
});
