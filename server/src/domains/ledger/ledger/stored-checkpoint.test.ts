import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signCheckpoint } from '@sightline/evidence/ledger/checkpoint.ts';
import { signerOf } from '@sightline/evidence/ledger/note.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStoredCheckpoint, storeCheckpoint } from './stored-checkpoint.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-outside-'));
});
afterAll(() => rm(folder, { recursive: true }));

const signer = signerOf('sightline.example/org/one/1', new Uint8Array(32).fill(3));
const root = new Uint8Array(32);
const signed = (size: number) => ({
  epoch: 1,
  size,
  root: Buffer.from(root),
  note: signCheckpoint({ size, root }, signer),
});

test('stores the largest of concurrently signed checkpoints and leaves no other file', async () => {
  const sizes = Array.from({ length: 40 }, (_, place) => ((place * 17) % 40) + 1);
  await Promise.all(sizes.map((size) => storeCheckpoint({ folder }, 'one', signed(size))));
  expect((await readStoredCheckpoint({ folder }, 'one'))?.size).toBe(40);
  expect(await readdir(folder)).toEqual(['one.checkpoint']);
});
