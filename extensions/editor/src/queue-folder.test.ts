import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLOSED_AFTER_MS, createQueueFolder } from './queue-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-queue-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const event = (): IdentifyEvent => ({
  plugin_id: 'sightline-editor',
  event_type: 'other',
  message_id: randomUUID(),
  identifiers: {},
  original_timestamp: '2026-01-01T00:00:00Z',
  tracking_source: 'vscode',
});
const idsOf = (events: readonly IdentifyEvent[]) => events.map((each) => each.message_id);
const window = (name: string) => createQueueFolder(folder, name);
const sign = (name: string) => join(folder, `${name}.alive`);
/** The ID of an ended process: a killed window. */
const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;

async function adoptedBy(name: string): Promise<string[]> {
  const taken: string[] = [];
  await window(name).adopt(async (events) => void taken.push(...idsOf(events)));
  return taken;
}

test('reads a queue after a restart without an incomplete line', async () => {
  const events = [event(), event(), event()];
  const { store } = window('a');
  await store.append(events.slice(0, 2));
  await store.append(events.slice(2));
  await appendFile(join(folder, 'a.ndjson'), '{"message_id":"ha');
  expect(idsOf(await window('a').store.list())).toEqual(idsOf(events));
  await window('a').store.remove(new Set(idsOf(events.slice(1))));
  expect(idsOf(await window('a').store.list())).toEqual(idsOf(events.slice(0, 1)));
});

test('does not adopt the queue of a live window', async () => {
  await window('a').store.append([event()]);
  expect(await adoptedBy('b')).toEqual([]);
});

test.each([
  ['closed window', (name: string) => rm(sign(name))],
  ['killed window', (name: string) => writeFile(sign(name), JSON.stringify({ host: hostname(), pid: deadPid() }))],
  [
    'silent window on another machine',
    async (name: string) => {
      await writeFile(sign(name), JSON.stringify({ host: 'elsewhere', pid: 1 }));
      const then = new Date(Date.now() - CLOSED_AFTER_MS - 1000);
      await utimes(sign(name), then, then);
    },
  ],
])('adopts the events of a %s once', async (_, end) => {
  const events = [event(), event()];
  await window('a').store.append(events);
  await end('a');
  const both = await Promise.all([adoptedBy('b'), adoptedBy('c')]);
  expect(both.flat().sort()).toEqual(idsOf(events).sort());
  expect(await adoptedBy('d')).toEqual([]);
});

test('does not adopt a queue that a live window is adopting', async () => {
  const events = [event()];
  await window('a').store.append(events);
  await rm(sign('a'));
  await window('b').adopt(async () => expect(await adoptedBy('c')).toEqual([]));
});

test('adopts the queue that a killed window was adopting', async () => {
  const events = [event()];
  await window('a').store.append(events);
  await rm(sign('a'));
  const killed = window('b').adopt(() => Promise.reject(new Error('killed')));
  await expect(killed).rejects.toThrow('killed');
  await rm(sign('b'));
  expect(await adoptedBy('c')).toEqual(idsOf(events));
  expect((await readdir(folder)).filter((name) => name.endsWith('.ndjson'))).toEqual([]);
});

test('starts a new queue in a resumed window whose queue was adopted', async () => {
  const [slept, later] = [event(), event()];
  const a = window('a');
  await a.store.append([slept]);
  await rm(sign('a'));
  expect(await adoptedBy('b')).toEqual([slept.message_id]);
  await a.live();
  await a.store.remove(new Set([slept.message_id]));
  await a.store.append([later]);
  expect(idsOf(await a.store.list())).toEqual([later.message_id]);
  expect(await adoptedBy('b')).toEqual([]);
});
