const own = new Set(['localhost', '127.0.0.1', '[::1]']);

export type ServerAddress = { origin: string } | { problem: string };

/** Where the server is, as people type or paste it; unencrypted only on this machine, for a token goes there. */
export function serverAddress(typed: string): ServerAddress {
  const text = typed.trim();
  if (text === '') return { problem: 'Enter the URL of your Sightline server, such as https://sightline.example.com' };
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    return { problem: 'Not a valid URL. Example: https://sightline.example.com' };
  }
  if (url.username !== '' || url.password !== '') return { problem: 'Remove the user name and password.' };
  if (url.protocol === 'http:' && !own.has(url.hostname)) {
    return { problem: 'The URL must start with https://, except for a server on this machine.' };
  }
  return { origin: url.origin };
}

/** What a browser is asked for so that this server can be reached. Patterns know no ports in Firefox. */
export function serverPattern(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}/*`;
}
