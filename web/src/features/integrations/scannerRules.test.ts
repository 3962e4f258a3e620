import { expect, test } from 'vitest';
import { bodyOf, errorsOf } from './scannerRules.ts';

const good = { tenant: 'acme', apiKey: 'e30.e30.c2ln', baseURL: '' };

test.each([
  [{}, {}],
  [{ tenant: '' }, { tenant: 'Enter the tenant name' }],
  [{ tenant: ' \t' }, { tenant: 'Enter the tenant name' }],
  [{ apiKey: ' \n ' }, { apiKey: 'Enter an API key' }],
  [{ baseURL: '  ' }, {}],
  [{ baseURL: 'https://eu.ast.checkmarx.net' }, {}],
  [{ baseURL: ' https://eu.ast.checkmarx.net/ ' }, {}],
  [{ baseURL: 'https://eu.ast.checkmarx.net:8443/base' }, {}],
])('%j', (patch, errors) => {
  expect(errorsOf({ ...good, ...patch })).toEqual(errors);
});

test.each([
  'eu.ast.checkmarx',
  'http://eu.ast.checkmarx.net',
  'https://',
  'https:///a',
  'ftp://a.example',
  'https://a b',
  'https://[::',
])('%j is no base URL', (baseURL) => {
  expect(errorsOf({ ...good, baseURL })).toEqual({ baseURL: 'Start with https:// and give a host name' });
});

test('a server that is not production may have its scanner beside it, without TLS', () => {
  expect(errorsOf({ ...good, baseURL: 'http://127.0.0.1:3001' }, { http: true })).toEqual({});
});

test('what is sent has no spaces that were pasted with it, and no empty base URL', () => {
  expect(bodyOf({ tenant: ' acme\n', apiKey: ' e30.\n e30.c2ln ', baseURL: ' ' })).toEqual({
    tenant: 'acme',
    apiKey: 'e30.e30.c2ln',
  });
  expect(bodyOf({ ...good, baseURL: ' https://eu.ast.checkmarx.net ' })).toMatchObject({
    baseURL: 'https://eu.ast.checkmarx.net',
  });
});
