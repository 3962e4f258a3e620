import { expect, it } from 'vitest';
import { serverAddress, serverPattern } from './server-address.ts';

it.each([
  ['https://sightline.example', 'https://sightline.example'],
  ['  sightline.example/explore?x=1 ', 'https://sightline.example'],
  ['https://sightline.example:8443/', 'https://sightline.example:8443'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
])('accepts %s', (typed, origin) => {
  expect(serverAddress(typed)).toEqual({ origin });
});

it.each([
  '',
  '   ',
  'http://sightline.example',
  'ftp://sightline.example',
  'https://ada:secret@sightline.example',
  'https://',
])('rejects "%s" with a reason', (typed) => {
  expect(serverAddress(typed)).toHaveProperty('problem', expect.stringMatching(/\w+/));
});

it('requests the host without its port, which Firefox does not support', () => {
  expect(serverPattern('http://localhost:3000')).toBe('http://localhost/*');
});
