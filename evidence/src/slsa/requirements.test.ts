import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toHex } from '../ledger/bytes.ts';
import { sha256 } from '../ledger/sha256.ts';
import { sourcePolicySha256, sourcePolicyText } from './policy.ts';
import { sourceRequirements } from './requirements.ts';

const page = readFileSync(`${import.meta.dirname}/../../../docs/changes.md`, 'utf8');

test.each(sourceRequirements)('documents the requirement $id', ({ id, level, title, fact }) => {
  expect(page).toContain(`| ${title} (\`${id}\`) | ${level} | ${fact} |`);
});

test('the policy contains every requirement, and its hash is that of its text', () => {
  const policy = JSON.parse(sourcePolicyText);
  expect(policy).toMatchObject({ slsaVersion: '1.2', version: 1 });
  expect(policy.requirements).toEqual(sourceRequirements);
  expect(sourcePolicySha256).toBe(toHex(sha256(sourcePolicyText)));
});
