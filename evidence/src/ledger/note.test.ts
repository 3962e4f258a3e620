import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { concat, fromBase64, toBase64, utf8 } from './bytes.ts';
import { checkpointText, openCheckpoint, parseCheckpoint, signCheckpoint } from './checkpoint.ts';
import {
  openNote,
  parseVerifier,
  publicKeyOf,
  signatureLine,
  signerOf,
  signNote,
  splitNote,
  verifierOf,
  verifierText,
} from './note.ts';
import { inclusionProof } from './proofs.ts';
import { logInMemory } from './testing/log.ts';
import { rootAt } from './tiles.ts';
import { checkTlogProof, tlogProofText } from './tlog-proof.ts';

// The test key and note of the Go checksum database.
const peter = parseVerifier('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
const enigma =
  'If you think cryptography is the answer to your problem,\n' +
  "then you don't know what your problem is.\n\n" +
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';

const secret = Uint8Array.from({ length: 32 }, (_, index) => index);
const publicKey = publicKeyOf(secret);
const origin = 'sightline.example/org/1/1';
const own = verifierOf(origin, publicKey);
const signer = signerOf(origin, secret);

test('opens a note of another implementation and writes its key in the same form', () => {
  const { text, signed } = openNote(enigma, [peter]);
  expect(text).toContain('cryptography is the answer');
  expect(signed).toEqual([{ by: peter, at: undefined }]);
  expect(verifierText(peter)).toBe('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
});

test('rejects keys with a wrong ID or form', () => {
  for (const text of [
    'PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TX',
    'PeterNeumann+c74f20a3',
    'PeterNeumann+c74f20a3+AhpcAA==',
    '+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  ]) {
    expect(() => parseVerifier(text)).toThrow();
  }
  expect(parseVerifier(verifierText(own))).toEqual(own);
  expect(() => verifierOf('two words', publicKey)).toThrow();
  expect(() => verifierOf('a+b', publicKey)).toThrow();
  expect(() => verifierOf('short', publicKey.slice(1))).toThrow();
});

test('ignores unknown signatures and rejects a wrong signature of a known key', () => {
  const note = signNote('text\n', signer);
  const foreign = signatureLine('stranger.example', concat(utf8('abcd'), new Uint8Array(70)));
  expect(openNote(note + foreign, [own]).signed).toHaveLength(1);
  expect(openNote(note + note.slice(note.indexOf('—')), [own]).signed).toHaveLength(1);
  expect(() => openNote(note, [peter])).toThrow('not signed with any of the given keys');
  expect(() => openNote(note, [])).toThrow();
  const wrong = signatureLine(origin, concat(own.id, new Uint8Array(64)));
  expect(() => openNote(`text\n\n${wrong}`, [own])).toThrow('is invalid');
  expect(() => openNote(note + wrong, [own])).toThrow('is invalid');
  expect(() => openNote(note.replace('text', 'test'), [own])).toThrow('is invalid');
  const short = signatureLine(origin, concat(own.id, new Uint8Array(3)));
  expect(() => openNote(`text\n\n${short}`, [own])).toThrow('invalid length');
});

test('rejects what is no note', () => {
  const note = signNote('text\n', signer);
  const [line = ''] = splitNote(note).lines;
  const bad = [
    '',
    'text\n',
    'text\n\n',
    note.slice(0, -1),
    note.replace('—', '-'),
    note.replace('\n\n', '\n'),
    note.replace('text', 'te\txt'),
    note.replace('text', 'te\rxt'),
    note.replace('text', 'te\ud800xt'),
    `${note}\n`,
    `text\n\n${line} more\n`,
    `text\n\n${line.replace(' ', '  ')}\n`,
    `text\n\n— ${origin} %%%%\n`,
    `text\n\n— ${origin} AAAA\n`,
    `text\n\n— a+b AAAAAAAA\n`,
    `text\n\n${line.replaceAll('=', '')}\n`,
    `text\n\n${`${line}\n`.repeat(101)}`,
  ];
  for (const one of bad) expect(() => openNote(one, [own]), JSON.stringify(one)).toThrow();
  expect(() => signNote('no end', signer)).toThrow();
  expect(() => signNote('bell\u0007\n', signer)).toThrow();
});

test('cosigns with time', () => {
  const witness = verifierOf('witness.example', publicKey, 'ed25519-cosignature');
  const at = new Uint8Array(8);
  new DataView(at.buffer).setBigUint64(0, 1_790_000_000n);
  const text = checkpointText({ origin, size: 1, root: new Uint8Array(32) });
  const signed = fromBase64(
    signNote(`cosignature/v1\ntime 1790000000\n${text}`, signerOf('x', secret)).split(' ').at(-1)?.trim() ?? '',
  );
  const note = `${text}\n${signatureLine(witness.name, concat(witness.id, at, signed.slice(4)))}`;
  expect(openNote(note, [witness]).signed).toEqual([{ by: witness, at: 1_790_000_000 }]);
  at[7] = 1;
  const later = `${text}\n${signatureLine(witness.name, concat(witness.id, at, signed.slice(4)))}`;
  expect(() => openNote(later, [witness])).toThrow('is invalid');
});

test('verifies an ML-DSA-44 cosignature that OpenSSL signed, as C2SP tlog-cosignature defines its message', () => {
  const keys = generateKeyPairSync('ml-dsa-44');
  const publicKey = new Uint8Array(keys.publicKey.export({ format: 'der', type: 'spki' }).subarray(-1312));
  const witness = verifierOf('witness.example', publicKey, 'ml-dsa-44-cosignature');
  const root = Buffer.alloc(32, 7);
  const number = (value: number) => Buffer.from(value.toString(16).padStart(16, '0'), 'hex');
  const named = (name: string) => Buffer.concat([Buffer.from([name.length]), Buffer.from(name)]);
  const message = Buffer.concat([
    Buffer.from('subtree/v1\n\0'),
    named(witness.name),
    number(1_790_000_000),
    named(origin),
    number(0),
    number(70_000),
    root,
  ]);
  const signature = concat(witness.id, number(1_790_000_000), sign(null, message, keys.privateKey));
  const text = checkpointText({ origin, size: 70_000, root });
  const note = (line: string) => `${text}\n${line}`;
  expect(openNote(note(signatureLine(witness.name, signature)), [witness]).signed).toEqual([
    { by: witness, at: 1_790_000_000 },
  ]);
  for (const at of [4, 11, 12, 2000, signature.length - 1]) {
    const changed = signature.slice();
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => openNote(note(signatureLine(witness.name, changed)), [witness]), `byte ${at}`).toThrow('is invalid');
  }
  const short = signatureLine(witness.name, signature.slice(0, -1));
  expect(() => openNote(note(short), [witness])).toThrow('invalid length');
});

test('writes a checkpoint in three lines', () => {
  const root = new Uint8Array(32).fill(7);
  const note = signCheckpoint({ size: 12, root }, signer);
  expect(openCheckpoint(note, origin, [own])).toMatchObject({ origin, size: 12, root });
  expect(() => openCheckpoint(note, 'other', [own])).toThrow('another log');
  const text = checkpointText({ origin, size: 12, root });
  for (const bad of [
    text.replace('12', '012'),
    text.replace('12', '-1'),
    text.replace('12', '1e3'),
    text.replace('12', '99999999999999999'),
    `${text}extension\n`,
    text.slice(0, -1),
    text.replace(toBase64(root), toBase64(root.slice(1))),
    text.replace(origin, ''),
  ]) {
    expect(() => parseCheckpoint(bad), bad).toThrow();
  }
});

test('proves an entry in the log by one text', async () => {
  const log = logInMemory();
  const entries = Array.from({ length: 20 }, (_, index) => `{"n":${index}}`);
  log.append(entries);
  const checkpoint = signCheckpoint({ size: 20, root: await rootAt(log.read, 20) }, signer);
  const proof = tlogProofText({ index: 5, hashes: await inclusionProof(log.read, 5, 20), checkpoint });
  expect(proof).toMatch(/^c2sp\.org\/tlog-proof@v1\nindex 5\n[^\n]{44}\n/);
  expect(checkTlogProof(proof, '{"n":5}', origin, [own])).toMatchObject({ index: 5, size: 20 });
  const extra = proof.replace('index', 'extra AAAA\nindex');
  expect(checkTlogProof(extra, '{"n":5}', origin, [own])).toMatchObject({ index: 5 });
  for (const [text, entry] of [
    [proof, '{"n":6}'],
    [proof.replace('index 5', 'index 6'), '{"n":5}'],
    [proof.replace('index 5', 'index 05'), '{"n":5}'],
    [proof.replace('v1', 'v2'), '{"n":5}'],
    [proof.replace('\n\n', '\n'), '{"n":5}'],
    [proof.replace(/index 5\n.*\n/, 'index 5\n'), '{"n":5}'],
  ] as const) {
    expect(() => checkTlogProof(text, entry, origin, [own])).toThrow();
  }
});
