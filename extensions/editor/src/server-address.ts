const local = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns the origin of a server URL, or the problem in words. It requires https except on this machine, since tokens
 * are sent there.
 */
export function serverAddress(given: string): { address: string } | { problem: string } {
  const text = given.trim();
  if (text === '') return { problem: 'Enter the URL of your Sightline server, such as https://sightline.example.com.' };
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return { problem: 'Enter a complete URL, such as https://sightline.example.com.' };
  }
  if (url.username || url.password) return { problem: 'Enter the URL without a user name or password.' };
  if (url.protocol === 'http:' && !local.has(url.hostname)) {
    return { problem: 'The URL must start with https://, because http:// is not encrypted.' };
  }
  return { address: url.origin };
}
