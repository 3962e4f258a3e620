import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { type Bytes, concat, textOf, utf8 } from '../ledger/bytes.ts';
import { openZip } from './zip-read.ts';
import { packZipFile, zipWriter } from './zip-write.ts';

function readZip(bytes: Bytes, maxBytes?: number) {
  const archive = openZip(bytes, maxBytes);
  return { ...archive, files: new Map(archive.paths.map((path) => [path, archive.file(path)])) };
}

function zipOf(
  files: readonly (readonly [path: string, content: string])[],
  last: readonly [string, string] = ['m.sig', 'signed'],
): Bytes {
  const zip = zipWriter();
  const pieces = files.flatMap(([path, content]) => zip.add(packZipFile(path, utf8(content))));
  return concat(...pieces, ...zip.end(last[0], utf8(last[1])));
}

const files = [
  ['a.json', '{"a":1}'],
  ['b/c.txt', 'x'.repeat(100_000)],
  ['z.txt', ''],
] as const;

test('reads what was written, and writes the same bytes for the same files', () => {
  const zip = zipOf(files);
  expect(zipOf(files)).toEqual(zip);
  const archive = readZip(zip);
  expect([...archive.files].map(([path, content]) => [path, textOf(content)])).toEqual([...files, ['m.sig', 'signed']]);
  expect(archive.last).toBe('m.sig');
  expect(concat(archive.before, zip.subarray(archive.before.length))).toEqual(zip);
});

test('rejects every flipped bit outside of signed bytes', () => {
  const zip = zipOf(files);
  const signed = readZip(zip).before;
  for (let at = signed.length; at < zip.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const flipped = zip.slice();
      flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
      const read = attempt(() => readZip(flipped));
      // The only unprotected bytes are the content of the last file, which is the signature.
      if (read) expect(textOf(read.files.get('m.sig') ?? new Uint8Array())).not.toBe('signed');
    }
  }
});

const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

test('neither writes nor reads unsafe file names', () => {
  for (const path of [
    '../a',
    '/a',
    'a//b',
    'a\\b',
    'a/../b',
    './a',
    'ä',
    'a\u0301',
    'аdmin',
    '',
    'a b',
    'a/',
    '.a',
    'a.',
  ]) {
    expect(() => packZipFile(path, utf8('x')), path).toThrow();
    expect(() => readZip(zipSync({ [path]: utf8('x') })), path).toThrow();
  }
  const zip = zipWriter();
  zip.add(packZipFile('b', utf8('x')));
  expect(() => zip.add(packZipFile('b', utf8('x')))).toThrow('must come after');
  expect(() => zip.add(packZipFile('a', utf8('x')))).toThrow('must come after');
  const twice = zipWriter();
  const pieces = [...twice.add(packZipFile('A', utf8('x'))), ...twice.add(packZipFile('a', utf8('y')))];
  expect(() => readZip(concat(...pieces, ...twice.end('m.sig', utf8(''))))).toThrow('the same name');
});

test('rejects archives of other programs, truncated archives and trailing bytes', () => {
  const zip = zipOf(files);
  expect(() => readZip(zipSync({ 'a.json': utf8('{}'), 'm.sig': utf8('s') }))).toThrow();
  for (const wrong of [
    new Uint8Array(),
    zip.subarray(0, 50),
    zip.subarray(1),
    zip.subarray(0, -1),
    concat(zip, Uint8Array.of(0)),
    concat(Uint8Array.of(0), zip),
    concat(zip, zip),
  ]) {
    expect(() => readZip(wrong)).toThrow();
  }
});

test('rejects an archive that unpacks to more than declared or allowed', () => {
  const zip = zipOf([['a', 'x'.repeat(5_000_000)]]);
  expect(() => readZip(zip, 1_000_000)).toThrow('too large');
  const inconsistent = zip.slice();
  // The size in the local header and in the central directory.
  const view = new DataView(inconsistent.buffer);
  view.setUint32(22, 10, true);
  const list = view.getUint32(inconsistent.length - 6, true);
  view.setUint32(list + 24, 10, true);
  expect(() => readZip(inconsistent)).toThrow('larger');
});
