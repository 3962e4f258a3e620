import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeze, ledger, tell, vkey } from '@sightline/evidence/bundle/testing/scene.ts';
import { beforeAll, expect, test } from 'vitest';
import { run } from './run.ts';

let [bundle, spoilt, earlier, keyFile] = ['', '', '', ''];
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-verify-'));
  const write = async (name: string, content: Uint8Array | string) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const log = ledger();
  const rows = tell(log, 10);
  const first = await freeze(log, rows);
  const second = await freeze(log, rows, { earlier: [first.contents.ledger.size] });
  earlier = await write('old.zip', first.bundle);
  bundle = await write('new.zip', second.bundle);
  second.bundle[200] = (second.bundle[200] ?? 0) ^ 1;
  spoilt = await write('spoilt.zip', second.bundle);
  keyFile = await write('vkey.txt', `${vkey}\n`);
});

test('a bundle is verified with a key from elsewhere', async () => {
  const good = await run(['verify', bundle, '--key', vkey, '--previous', earlier]);
  expect(good).toMatchObject({ code: 0 });
  expect(good.out).toContain('VALID: 33 rows of 4 controls');
  expect(good.out).toMatch(/9 {2}ok .*earlier bundle/);
  expect(good.out).toContain('tamper-evident');
  const asked = await run(['verify', bundle, '--key', keyFile, '--json']);
  expect(JSON.parse(asked.out)).toMatchObject({
    verification: { valid: true, controls: [{ id: 'CHG-01' }, {}, {}, {}] },
  });
});

test('what is not as it was signed fails, and what cannot be read says which', async () => {
  const bad = await run(['verify', spoilt, '--key', vkey]);
  expect(bad.code).toBe(1);
  expect(bad.out).toContain('NOT VALID: step 1 failed.');
  expect(await run(['verify', `${bundle}x`, '--key', vkey])).toMatchObject({ code: 1, out: '' });
  expect((await run(['verify', bundle, '--key', 'nothing'])).complaint).toContain('--key');
  expect((await run(['verify', bundle])).complaint).toContain('--key is missing');
});
