const own = new Set(['localhost', '127.0.0.1', '[::1]']);

export type ServerAddress = { origin: string } | { problem: string };

/** Parses an entered server URL. Without encryption only this machine is permitted, since tokens are sent there. */
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

/**
 * The match pattern with which the extension requests permission for the server. Firefox supports no ports in patterns.
 */
export function serverPattern(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}/*`;
}
