import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock } from './lock.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sightline-lock-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe('acquireLock', () => {
  it('holds the lock until it is released', async () => {
    const lock = await acquireLock(dataDir);
    await expect(acquireLock(dataDir)).rejects.toThrow('already running');
    lock.release();
    (await acquireLock(dataDir)).release();
  });

  it.each([
    ['a dead process', () => JSON.stringify({ pid: deadPid() })],
    ['a number used again', () => JSON.stringify({ pid: process.ppid, identity: 'another-boot:1' })],
    ['a crash before it was written', () => ''],
  ])('takes over the lock of %s', async (_, left) => {
    await writeFile(join(dataDir, 'sightline.lock'), left());
    (await acquireLock(dataDir)).release();
  });

  it('grants a stale lock to exactly one of many contenders', async () => {
    await writeFile(join(dataDir, 'sightline.lock'), JSON.stringify({ pid: deadPid() }));
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLock(dataDir)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });
});

function deadPid(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}
