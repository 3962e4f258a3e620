import { expect, test } from 'vitest';
import { scannerBodyOf, scannerErrorsOf } from './scannerRules.ts';

const validDraft = { tenant: 'acme', apiKey: 'e30.e30.c2ln', baseURL: '' };

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
  expect(scannerErrorsOf('checkmarx', { ...validDraft, ...patch })).toEqual(errors);
});

test.each([
  'eu.ast.checkmarx',
  'http://eu.ast.checkmarx.net',
  'https://',
  'https:///a',
  'ftp://a.example',
  'https://a b',
  'https://[::',
])('rejects %j as a base URL', (baseURL) => {
  expect(scannerErrorsOf('checkmarx', { ...validDraft, baseURL })).toEqual({
    baseURL: 'Start with https:// and give a host name',
  });
});

test('allows a scanner without TLS on a non-production server', () => {
  expect(scannerErrorsOf('checkmarx', { ...validDraft, baseURL: 'http://127.0.0.1:3001' }, { http: true })).toEqual({});
});

test('trims pasted values and omits an empty base URL', () => {
  expect(scannerBodyOf({ tenant: ' acme\n', apiKey: ' e30.\n e30.c2ln ', baseURL: ' ' })).toEqual({
    tenant: 'acme',
    apiKey: 'e30.e30.c2ln',
  });
  expect(scannerBodyOf({ ...validDraft, baseURL: ' https://eu.ast.checkmarx.net ' })).toMatchObject({
    baseURL: 'https://eu.ast.checkmarx.net',
  });
});

test('requires the URL of a scanner without a default, and no organization of SonarQube Server', () => {
  const draft = { tenant: '', apiKey: '', baseURL: '' };
  expect(scannerErrorsOf('sonarqube', draft, { isURLRequired: true })).toEqual({
    apiKey: 'Enter a token',
    baseURL: 'Enter the URL',
  });
});
