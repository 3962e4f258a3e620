import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  appendChanges,
  buildTestBundle,
  bytesOf,
  createTestLedger,
  type TestBundle,
  vkey,
} from '@sightline/evidence/bundle/testing/scene.ts';
import { timestampedText } from '@sightline/evidence/ledger/checkpoint.ts';
import { cosign, cosignerOf, withSignatures } from '@sightline/evidence/ledger/cosignature.ts';
import { verifierText } from '@sightline/evidence/ledger/note.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTimeStampingAuthority, type TimeStampingAuthority } from '#testing/time-stamps.ts';
import { runCommandLine } from './run.ts';

let folder: string;
let made: TestBundle;
let [bundle, spoilt, earlier, keyFile] = ['', '', '', ''];
const write = async (name: string, content: Uint8Array | string): Promise<string> => {
  await writeFile(join(folder, name), content);
  return join(folder, name);
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-verify-'));
  const log = createTestLedger();
  const rows = appendChanges(log, 10);
  const first = await buildTestBundle(log, rows);
  const second = await buildTestBundle(log, rows, { earlier: [first.contents.ledger.size] });
  made = second;
  earlier = await write('old.zip', first.bundle);
  bundle = await write('new.zip', second.bundle);
  second.bundle[200] = (second.bundle[200] ?? 0) ^ 1;
  spoilt = await write('spoilt.zip', second.bundle);
  keyFile = await write('vkey.txt', `${vkey}\n`);
});

afterAll(() => rm(folder, { recursive: true }));

test('verifies an evidence package with a key obtained separately', { tags: 'full' }, async () => {
  const good = await runCommandLine(['verify', bundle, '--key', vkey, '--previous', earlier]);
  expect(good).toMatchObject({ code: 0 });
  expect(good.out).toContain('VALID: 39 items of 6 controls');
  expect(good.out).toMatch(/9 {2}ok .*earlier bundle/);
  expect(good.out).toContain('tamper-evident');
  const verified = await runCommandLine(['verify', bundle, '--key', keyFile, '--json']);
  expect(JSON.parse(verified.out)).toMatchObject({
    verification: { valid: true, controls: [{ id: 'CHG-01' }, {}, {}, {}, {}, {}] },
  });
});

test('fails for an altered package and names an unreadable argument', async () => {
  const bad = await runCommandLine(['verify', spoilt, '--key', vkey]);
  expect(bad.code).toBe(1);
  expect(bad.out).toContain('NOT VALID: step 1 failed.');
  expect(await runCommandLine(['verify', `${bundle}x`, '--key', vkey])).toMatchObject({ code: 1, out: '' });
  expect((await runCommandLine(['verify', bundle, '--key', 'nothing'])).errorOutput).toContain('--key');
  expect((await runCommandLine(['verify', bundle])).errorOutput).toContain('--key is missing');
});

const name = 'witness.example/one';
const secret = new Uint8Array(32).fill(5);
const cosigner = cosignerOf(name, 'ed25519-cosignature', secret);
const witness = verifierText(cosigner.verifier);
const at = Date.parse('2026-10-02T00:00:00.000Z') / 1000;

/** Writes the bundle with another checkpoint or a timestamp, and a valid signature. */
const again = async (file: string, other: Partial<TestBundle['contents']>): Promise<string> =>
  write(file, await bytesOf({ ...made.contents, ...other }));

test('counts a cosignature when the witness key is given and rejects a wrong one', { tags: 'full' }, async () => {
  const { checkpoint } = made.contents;
  const cosigned = (of: string) => withSignatures(checkpoint, [cosign(of, cosigner, at)]);
  const good = await again('cosigned.zip', { checkpoint: cosigned(checkpoint) });
  const verified = await runCommandLine(['verify', good, '--key', vkey, '--witness', witness]);
  expect(verified).toMatchObject({ code: 0 });
  expect(verified.out).toContain(`its checkpoint is cosigned by ${name} at 2026-10-02T00:00:00.000Z`);
  const fromFile = await runCommandLine([
    'verify',
    good,
    '--key',
    vkey,
    '--witness',
    await write('witness.txt', witness),
  ]);
  expect(fromFile.out).toContain(`Cosigned by ${name}.`);
  const unknown = await runCommandLine(['verify', good, '--key', vkey]);
  expect(unknown).toMatchObject({ code: 0 });
  expect(unknown.out).toContain('no external anchor was verified');
  const other = (await buildTestBundle(createTestLedger(), [])).contents.checkpoint;
  const bad = await again('miscosigned.zip', { checkpoint: cosigned(other) });
  const refused = await runCommandLine(['verify', bad, '--key', vkey, '--witness', witness]);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.out).toContain('NOT VALID: step 3 failed.');
});

test('counts a timestamp of a trusted authority; another authority or content invalidates the package', {
  tags: 'full',
}, async () => {
  const [authority, otherAuthority] = await Promise.all([
    startTimeStampingAuthority('rsa'),
    startTimeStampingAuthority('ec'),
  ]);
  try {
    const text = timestampedText(made.contents.checkpoint);
    const stamp = await stampOf(authority, text);
    expect(await authority.verifies(Buffer.from(stamp), Buffer.from(text))).toBe(true);
    const good = await again('stamped.zip', { stamp });
    const roots = await write('roots.pem', authority.root);
    const verified = await runCommandLine(['verify', good, '--key', vkey, '--tsa-ca', roots]);
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.out).toMatch(/its checkpoint has a timestamp of 20\d\d-/);
    const withoutAuthority = await runCommandLine(['verify', good, '--key', vkey]);
    expect(withoutAuthority.out).toContain('Its timestamp was not verified:');
    expect(withoutAuthority.out).toContain('no external anchor was verified');
    const untrusted = await write('others.pem', otherAuthority.root);
    const refused = await runCommandLine(['verify', good, '--key', vkey, '--tsa-ca', untrusted]);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.out).toContain('NOT VALID: step 3 failed.');
    const swapped = await again('mis-stamped.zip', { stamp: await stampOf(authority, `${text}x`) });
    expect(await runCommandLine(['verify', swapped, '--key', vkey, '--tsa-ca', roots])).toMatchObject({ code: 1 });
    expect((await runCommandLine(['verify', good, '--key', vkey, '--tsa-ca', keyFile])).errorOutput).toContain(
      '--tsa-ca',
    );
  } finally {
    await Promise.all([authority.close(), otherAuthority.close()]);
  }
});

/** Requests a timestamp with `openssl ts`, like an operator or an auditor. */
async function stampOf({ url }: TimeStampingAuthority, text: string): Promise<Uint8Array> {
  const data = await write('stamped.txt', text);
  const query = execFileSync('openssl', ['ts', '-query', '-data', data, '-sha256', '-cert'], { stdio: 'pipe' });
  const answer = await fetch(url, { method: 'POST', body: new Uint8Array(query) });
  return new Uint8Array(await answer.arrayBuffer());
}
