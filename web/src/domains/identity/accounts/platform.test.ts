import { expect, test } from 'vitest';
import { architectureOf, operatingSystemOf } from './platform.ts';

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/131.0', 'windows', 'x64'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1', 'macos', 'arm64'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Firefox/128.0', 'linux', 'x64'],
  ['Mozilla/5.0 (X11; Linux aarch64; rv:128.0) Firefox/128.0', 'linux', 'arm64'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Mobile/15E148', undefined, 'x64'],
  ['Mozilla/5.0 (Linux; Android 14) Mobile', undefined, 'x64'],
  ['', undefined, 'x64'],
])('%s', (userAgent, system, architecture) => {
  expect([operatingSystemOf(userAgent), architectureOf(userAgent)]).toEqual([system, architecture]);
});
