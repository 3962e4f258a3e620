import { expect, test } from 'vitest';
import { proxyFor } from './egress.ts';

const except = [
  'internal.example',
  '.corp.example',
  '*.lab.example',
  'host.example:8443',
  '10.0.0.0/8',
  '192.0.2.7',
  '[2001:db8::7]:8443',
];
const proxies = {
  https: 'http://proxy.example:3128',
  http: 'http://plain.example:3128',
  except: [...except, 'fd00::/8'],
};

test.each([
  ['https://github.com/', 'http://proxy.example:3128'],
  ['http://github.com/', 'http://plain.example:3128'],
  ['https://internal.example/', undefined],
  ['https://INTERNAL.example:8443/', undefined],
  ['https://git.internal.example/', undefined],
  ['https://notinternal.example/', 'http://proxy.example:3128'],
  ['https://git.corp.example/', undefined],
  ['https://corp.example/', 'http://proxy.example:3128'],
  ['https://a.b.lab.example/', undefined],
  ['https://host.example:8443/', undefined],
  ['https://host.example/', 'http://proxy.example:3128'],
  ['https://10.1.2.3/', undefined],
  ['https://11.1.2.3/', 'http://proxy.example:3128'],
  ['https://192.0.2.7/', undefined],
  ['https://[fd00::1]/', undefined],
  ['https://[2001:db8::1]/', 'http://proxy.example:3128'],
  ['https://[2001:db8::7]:8443/', undefined],
  ['https://[2001:db8::7]/', 'http://proxy.example:3128'],
  ['https://localhost/', undefined],
  ['http://127.0.0.1:4318/', undefined],
  ['http://[::1]:4318/', undefined],
  ['https://sandbox.localhost/', undefined],
])('%s goes through %s', (url, proxy) => {
  expect(proxyFor(proxies, new URL(url))).toBe(proxy);
});

test('sends nothing through a proxy where NO_PROXY is * or no proxy is set for the protocol', () => {
  expect(proxyFor({ ...proxies, except: ['*'] }, new URL('https://github.com/'))).toBeUndefined();
  expect(proxyFor({ https: proxies.https, except: [] }, new URL('http://github.com/'))).toBeUndefined();
});
