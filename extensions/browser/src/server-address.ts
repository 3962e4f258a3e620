const own = new Set(['localhost', '127.0.0.1', '[::1]']);

export type ServerAddress = { origin: string } | { problem: string };

/** Where the server is, as people type or paste it; unencrypted only on this machine, for a token goes there. */
export function serverAddress(typed: string): ServerAddress {
  const text = typed.trim();
  if (text === '') return { problem: 'Enter the address you open Sightline at, such as https://sightline.example.com' };
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    return { problem: 'This is not a web address. It looks like https://sightline.example.com' };
  }
  if (url.username !== '' || url.password !== '') return { problem: 'Leave out the name and password.' };
  if (url.protocol === 'http:' && !own.has(url.hostname)) {
    return { problem: 'The address must begin with https://. Only a server on this machine may do without.' };
  }
  return { origin: url.origin };
}

/** What a browser is asked for so that this server can be reached. Patterns know no ports in Firefox. */
export function serverPattern(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}/*`;
}
