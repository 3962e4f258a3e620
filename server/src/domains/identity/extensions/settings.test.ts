import { expect, test } from 'vitest';
import { readConfig } from '#config.ts';

const read = (environment: Record<string, string>) => readConfig({ SANDBOX: 'off', ...environment });

test('reads editor schemes and callback origins for sign-in from the operator settings', () => {
  expect(read({}).AUTHORIZE_SCHEMES).toContain('vscode');
  expect(read({}).AUTHORIZE_CALLBACK_ORIGINS).toEqual([]);
  const { AUTHORIZE_SCHEMES, AUTHORIZE_CALLBACK_ORIGINS } = read({
    AUTHORIZE_SCHEMES: 'vscode, positron',
    AUTHORIZE_CALLBACK_ORIGINS: 'https://code.example.com,http://10.0.0.5:8443',
  });
  expect(AUTHORIZE_SCHEMES).toEqual(['vscode', 'positron']);
  expect(AUTHORIZE_CALLBACK_ORIGINS).toEqual(['https://code.example.com', 'http://10.0.0.5:8443']);
});

test.each(['javascript', 'data', 'https', 'file', 'browser', 'VSCode', 'vscode:', '../x', 'vs code'])(
  'rejects the scheme %s, which belongs to no editor',
  (scheme) => {
    expect(() => read({ AUTHORIZE_SCHEMES: `vscode,${scheme}` })).toThrow('AUTHORIZE_SCHEMES');
  },
);

test.each(['code.example.com', 'https://code.example.com/', 'https://*.example.com/x', 'vscode://x', 'null', '*'])(
  'rejects %s as an invalid origin',
  (origin) => {
    expect(() => read({ AUTHORIZE_CALLBACK_ORIGINS: origin })).toThrow('AUTHORIZE_CALLBACK_ORIGINS');
  },
);
