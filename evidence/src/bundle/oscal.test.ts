import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { textOf } from '../ledger/bytes.ts';
import type { Plain } from '../ledger/canonical.ts';
import { danglingIn, oscalPath } from './oscal.ts';
import { freeze, ledger, tell } from './testing/scene.ts';
import { openZip } from './zip-read.ts';

// From the release schemas of compliance-trestle, as published by NIST; public domain.
const schema = JSON.parse(
  readFileSync(new URL('./testing/assessment-results-1.2.1.schema.json', import.meta.url), 'utf8'),
) as object;

test('writes valid OSCAL 1.2.1 with resolved references', async () => {
  const log = ledger();
  const { bundle } = await freeze(log, tell(log, 30), { name: '  A name\nof two lines ' });
  const document = JSON.parse(textOf(openZip(bundle).file(oscalPath))) as Plain;
  const ajv = new Ajv({ strict: false, unicodeRegExp: true, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
  expect(danglingIn(document)).toEqual([]);
  const cut = JSON.parse(JSON.stringify(document).replace(/"observation-uuid":"./, '"observation-uuid":"f')) as Plain;
  expect(danglingIn(cut)).toHaveLength(1);
  const twice = { one: { uuid: 'a' }, two: { uuid: 'a' }, href: '#b' };
  expect(danglingIn(twice)).toEqual(['b', 'a']);
});
