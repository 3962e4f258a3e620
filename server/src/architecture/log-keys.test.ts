import { expect, test } from 'vitest';
import { createLog } from '#core/log.ts';
import { readSourceFiles } from './source-files.ts';

test('a logged error has its message and stack, and none of the data it carries', () => {
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  const error = Object.assign(new Error('duplicate key', { cause: new Error('connection lost') }), {
    code: '23505',
    detail: 'Key (email)=(ada@example.org) already exists.',
  });
  log.warn({ err: error }, 'a mail could not be sent');
  const [line = ''] = lines;
  expect(JSON.parse(line).err).toEqual({
    type: 'Error',
    message: 'duplicate key: connection lost',
    stack: expect.stringContaining('log-keys.test.ts'),
    code: '23505',
  });
});

test('every log call passes errors under the key err', async () => {
  const fields: string[] = [];
  for (const { path, text } of await readSourceFiles(['server/src', 'sandbox/src'])) {
    const calls = text.matchAll(/\blog\.(?:trace|debug|info|warn|error|fatal)\(\s*\{([^}]*)\}/g);
    for (const [, object = ''] of calls) fields.push(...object.split(',').map((field) => `${path}: ${field.trim()}`));
  }
  expect(fields.length).toBeGreaterThan(50);
  expect(fields.filter((field) => /\berror\b/.test(field) && !/: err: error$/.test(field))).toEqual([]);
});
