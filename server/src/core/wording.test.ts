import { pagedQuery } from '@sightline/contract/core/paging.ts';
import { boundedText, timestamp } from '@sightline/contract/core/text.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import './wording.ts';

const page = pagedQuery(['date-desc', 'date-asc'], {}).shape;

test.each<[string, z.ZodType, unknown, string]>([
  ['nothing', z.string(), undefined, 'is missing'],
  ['another type', z.string(), 7, 'must be text'],
  ['no boolean', z.boolean(), 'yes', 'must be true or false'],
  ['no list', z.array(z.string()), {}, 'must be a list'],
  ['no object', z.object({}), [], 'must be an object'],
  ['no number', page.page, 'two', 'must be a number'],
  ['a part of a number', page.page, '1.5', 'must be a whole number'],
  ['too low', page.page, '-1', 'must be at least 1'],
  ['too high', page.perPage, '101', 'must be at most 100'],
  ['none of the choices', page.sort, 'name', 'must be one of date-desc, date-asc'],
  ['not the only choice', z.literal('all'), 'some', 'must be all'],
  ['empty text', z.string().min(1), '', 'must not be empty'],
  ['short text', z.string().min(16), 'short', 'must have at least 16 characters'],
  ['long text', boundedText(3), 'long', 'must have at most 3 characters'],
  ['a long list', z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entry'],
  ['no id', z.uuid(), 'x', 'must be a UUID'],
  ['no time', timestamp, 'yesterday', 'must be a time such as 2026-03-01T12:00:00Z'],
  ['no address', z.email(), 'ada', 'must be an e-mail address'],
  ['a pattern without words of its own', z.string().regex(/^a/), 'b', 'must be in a valid format'],
  ['no form of several', z.union([z.string(), z.number()]), true, 'has none of the accepted forms'],
  ['words of its own', boundedText(9), 'a\0', 'must be well-formed text without NUL characters'],
])('%s', (_, schema, value, message) => {
  expect(schema.safeParse(value).error?.issues[0]?.message).toBe(message);
});
