import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { textOf } from '../ledger/bytes.ts';
import type { CanonicalValue } from '../ledger/canonical.ts';
import { danglingReferencesIn, oscalPath } from './oscal.ts';
import { appendChanges, buildTestBundle, createTestLedger } from './testing/scene.ts';
import { openZip } from './zip-read.ts';

// From the release schemas of compliance-trestle, as published by NIST; public domain.
const schema = JSON.parse(
  readFileSync(new URL('./testing/assessment-results-1.2.1.schema.json', import.meta.url), 'utf8'),
) as object;

test('writes valid OSCAL 1.2.1 with resolved references', async () => {
  const log = createTestLedger();
  const { bundle } = await buildTestBundle(log, appendChanges(log, 30), { name: '  A name\nof two lines ' });
  const document = JSON.parse(textOf(openZip(bundle).file(oscalPath))) as CanonicalValue;
  const ajv = new Ajv({ strict: false, unicodeRegExp: true, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
  expect(danglingReferencesIn(document)).toEqual([]);
  const cut = JSON.parse(
    JSON.stringify(document).replace(/"observation-uuid":"./, '"observation-uuid":"f'),
  ) as CanonicalValue;
  expect(danglingReferencesIn(cut)).toHaveLength(1);
  const twice = { one: { uuid: 'a' }, two: { uuid: 'a' }, href: '#b' };
  expect(danglingReferencesIn(twice)).toEqual(['b', 'a']);
});
