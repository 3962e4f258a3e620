import { expect, test } from 'vitest';
import { createPending } from './pending-sign-ins.ts';

function secrets() {
  const stored = new Map<string, string>();
  return {
    get: async (key: string) => stored.get(key),
    store: async (key: string, value: string) => void stored.set(key, value),
  };
}
const begun = (state: string) => ({ state, codeVerifier: `verifier of ${state}`, server: 'https://sightline.example' });

test('accepts a requested link once, in any window, and rejects unrequested links', async () => {
  const shared = secrets();
  const [one, other] = [createPending(shared), createPending(shared)];
  await one.add(begun('a'));
  await other.add(begun('b'));
  expect(await other.take('x')).toBeUndefined();
  expect(await other.take('')).toBeUndefined();
  expect(await other.take('a')).toMatchObject(begun('a'));
  expect(await one.take('a')).toBeUndefined();
  expect(await one.take('b')).toMatchObject(begun('b'));
});

test('expires a sign-in after 15 minutes, and the oldest of many', async () => {
  let now = 1_000_000;
  const pending = createPending(secrets(), () => now);
  await pending.add(begun('old'));
  now += 16 * 60_000;
  expect(await pending.take('old')).toBeUndefined();
  for (const state of ['1', '2', '3', '4', '5', '6']) await pending.add(begun(state));
  expect(await pending.take('1')).toBeUndefined();
  expect(await pending.take('2')).toBeDefined();
});
