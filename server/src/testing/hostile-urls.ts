import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

/**
 * Forbidden addresses, by the kind of problem. A local service listens on `port`. Tests call every endpoint that
 * accepts an address with each of them.
 */
export const hostileUrls = (port: number): Record<string, string> => ({
  ...loopbackUrls(port),
  ...privateNetworkUrls,
  ...resolvingUrls(port),
  ...ambiguousHostUrls(port),
  ...ignoredCharacterUrls(port),
  ...forbiddenFormUrls(port),
});

/** Notations of loopback. */
const loopbackUrls = (port: number) => ({
  loopback: `https://127.0.0.1:${port}/`,
  'loopback by http': `http://127.0.0.1:${port}/`,
  'short loopback': `https://127.1:${port}/`,
  'decimal loopback': `https://2130706433:${port}/`,
  'hexadecimal loopback': `https://0x7f000001:${port}/`,
  'octal loopback': `https://0177.0.0.1:${port}/`,
  'mixed loopback': `https://0x7f.0.0.01:${port}/`,
  'another loopback': `https://127.255.255.254:${port}/`,
  'any address': `https://0.0.0.0:${port}/`,
  zero: `https://0:${port}/`,
  'name of this machine': `https://localhost:${port}/`,
  'name in capitals': `https://LOCALHOST:${port}/`,
  'name below localhost': `https://x.localhost:${port}/`,
  'name with a dot at its end': `https://localhost.:${port}/`,
  'address with a dot at its end': `https://127.0.0.1.:${port}/`,
  'encoded loopback': `https://%31%32%37.0.0.1:${port}/`,
  'ideographic dots': `https://127\u30020\u30020\u30021:${port}/`,
  'halfwidth dots': `https://127\uff610\uff610\uff611:${port}/`,
  'fullwidth digits': `https://\uff11\uff12\uff17.0.0.1:${port}/`,
  'circled letters': `https://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3:${port}/`,
  'IPv6 loopback': `https://[::1]:${port}/`,
  'IPv6 loopback in full': `https://[0:0:0:0:0:0:0:1]:${port}/`,
  'any IPv6 address': `https://[::]:${port}/`,
  'IPv6 with a zone': `https://[fe80::1%25lo]:${port}/`,
  'mapped loopback': `https://[::ffff:127.0.0.1]:${port}/`,
  'mapped loopback in hexadecimal': `https://[::ffff:7f00:1]:${port}/`,
  'compatible loopback': `https://[::127.0.0.1]:${port}/`,
  'NAT64 loopback': `https://[64:ff9b::7f00:1]:${port}/`,
  '6to4 loopback': `https://[2002:7f00:1::]:${port}/`,
});

/** Networks without public addresses. */
const privateNetworkUrls = {
  'link-local IPv6': 'https://[fe80::1]/',
  'unique local IPv6': 'https://[fd00::1]/',
  'site-local IPv6': 'https://[fec0::1]/',
  'private 10/8': 'https://10.0.0.8/',
  'private 172.16/12': 'https://172.16.3.4/',
  'private 192.168/16': 'https://192.168.1.1/',
  'link-local, cloud metadata': 'https://169.254.169.254/latest/meta-data/',
  'shared address space': 'https://100.64.0.1/',
  multicast: 'https://224.0.0.1/',
  broadcast: 'https://255.255.255.255/',
  documentation: 'https://192.0.2.1/',
};

/** Names that resolve to private addresses. */
const resolvingUrls = (port: number) => ({
  'name that resolves to loopback': `https://127.0.0.1.nip.io:${port}/`,
  'name that may resolve anew': `https://make-127.0.0.1-rebind-8.8.8.8-rr.1u.ms:${port}/`,
  'name of nothing': `https://nothing.invalid:${port}/`,
});

/** Addresses whose host programs parse differently. */
const ambiguousHostUrls = (port: number) => ({
  'backslash before an @': `https://8.8.8.8\\@127.0.0.1:${port}/x.git`,
  'loopback before a backslash and an @': `https://127.0.0.1:${port}\\@8.8.8.8/`,
  'backslash in a host': `https://8.8.8.8\\.127.0.0.1:${port}/`,
  'backslashes for slashes': `https:\\\\127.0.0.1:${port}\\`,
  'backslash in a path': 'https://8.8.8.8/a\\b',
  'user name': 'https://somebody@8.8.8.8/',
  'user name and password': 'https://somebody:secret@8.8.8.8/',
  'empty user name': 'https://@8.8.8.8/',
  'host as a user name': `https://8.8.8.8@127.0.0.1:${port}/`,
  'host and port as a user name': `https://8.8.8.8:443@127.0.0.1:${port}/`,
  'encoded @': `https://8.8.8.8%40127.0.0.1:${port}/`,
  'two @': `https://8.8.8.8@8.8.8.8@127.0.0.1:${port}/`,
  'fragment before an @': `https://127.0.0.1:${port}#@8.8.8.8/`,
  'query before an @': `https://127.0.0.1:${port}?@8.8.8.8/`,
});

/** Characters that some programs ignore and others do not. */
const ignoredCharacterUrls = (port: number) => ({
  'space before': ' https://8.8.8.8/',
  'space after': 'https://8.8.8.8/ ',
  'space within': 'https://8.8.8.8/a b',
  'space before an @': `https://8.8.8.8 @127.0.0.1:${port}/`,
  'no-break space': 'https://8.8.8.8/\u00a0',
  'tab in a host': `https://8.8.8.8\t@127.0.0.1:${port}/`,
  'line break in a host': `https://8.8.8.8\n.127.0.0.1:${port}/`,
  'header after a line break': 'https://8.8.8.8/\r\nHost: 127.0.0.1',
  'control character before': '\u0001https://8.8.8.8/',
  'next line': 'https://8.8.8.8/\u0085',
  'zero-width space': 'https://8.8.8.8\u200b/',
  'right-to-left override': 'https://8.8.8.8/\u202egpj',
  'soft hyphen': `https://127.0.0\u00ad.1:${port}/`,
});

/** Forbidden schemes and ports, and invalid addresses. */
const forbiddenFormUrls = (port: number) => ({
  'http to a public address': 'http://8.8.8.8/',
  file: 'file:///etc/passwd',
  gopher: `gopher://127.0.0.1:${port}/_x`,
  dict: `dict://127.0.0.1:${port}/x`,
  ftp: `ftp://127.0.0.1:${port}/`,
  ssh: `ssh://127.0.0.1:${port}/x.git`,
  git: `git://127.0.0.1:${port}/x.git`,
  'scp-like': 'git@127.0.0.1:x.git',
  'helper of git': 'ext::sh -c true',
  'option of a program': '--upload-pack=true',
  script: 'javascript:alert(1)',
  'no slashes': `https:127.0.0.1:${port}`,
  'one slash': `https:/127.0.0.1:${port}/`,
  'three slashes': `https:///127.0.0.1:${port}/`,
  'no scheme': `//127.0.0.1:${port}/`,
  'port of another service': 'https://8.8.8.8:22/',
  'port zero': 'https://8.8.8.8:0/',
  'port past the last': 'https://8.8.8.8:65536/',
  'no host': 'https://',
  'no address': 'not an address',
});

/** Starts a local service that no request may reach. It counts connections of any protocol. */
export async function startForbiddenService(): Promise<{ port: number; connections: () => number; close: () => void }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret');
  });
  // Every address of this machine, including IPv6 if available.
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () => void server.close(),
  };
}
