import { expect, test } from 'vitest';
import { serverAddress } from './server-address.ts';

test.each([
  ['https://sightline.example.com', 'https://sightline.example.com'],
  [' https://sightline.example.com:8443/explore?x=1#y ', 'https://sightline.example.com:8443'],
  ['http://localhost:3000/', 'http://localhost:3000'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
])('resolves %s to the server %s', (given, address) => {
  expect(serverAddress(given)).toEqual({ address });
});

test.each([
  ['', /such as/],
  ['sightline.example.com', /complete URL/],
  ['ftp://sightline.example.com', /complete URL/],
  ['javascript:alert(1)', /complete URL/],
  ['http://sightline.example.com', /must start with https/],
  ['http://localhost.example.com', /must start with https/],
  ['https://ada:secret@sightline.example.com', /without a user name or password/],
])('rejects %s', (given, problem) => {
  expect(serverAddress(given)).toEqual({ problem: expect.stringMatching(problem) });
});
