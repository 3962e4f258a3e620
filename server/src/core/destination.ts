/** A parsed URL, or the problem with it as the end of a sentence. */
export type Destination = { url: URL } | { problem: string };

// Parsers disagree about these characters: the URL Standard treats a backslash as a slash and drops tabs, line breaks
// and outer spaces.
const ambiguous = /[\\\s\p{Cc}\p{Cf}\p{Cs}]/u;

/**
 * The only parser of URLs that Sightline connects to. It accepts only URLs that every parser splits into the same
 * scheme, host and port. Only `href` of the result may be passed to another program. It does not connect and resolves
 * no name.
 */
export function parseDestination(
  text: string,
  {
    protocols = ['https:', 'http:'],
    credentials = false,
  }: { protocols?: readonly string[]; credentials?: boolean } = {},
): Destination {
  if (ambiguous.test(text)) return { problem: 'must not contain backslashes, spaces or control characters' };
  const [, scheme, authority] = /^([A-Za-z][A-Za-z\d+.-]*:)\/\/([^/?#]+)/.exec(text) ?? [];
  const url = URL.parse(text);
  if (!url || scheme === undefined || authority === undefined) return { problem: 'must be a URL' };
  if (!protocols.includes(url.protocol)) return { problem: `must start with ${protocols[0]}//` };
  if (authority.includes('@') && !credentials) return { problem: 'must not contain a user name or password' };
  if (url.hostname === '') return { problem: 'must contain a host' };
  // Resolvers treat this name like the one without the dot, but pinning and certificates do not.
  if (url.hostname.endsWith('.')) return { problem: 'must not end its host with a dot' };
  return { url };
}

/** The host of a URL in the notation of resolvers: an IPv6 address without brackets. */
export const hostOfUrl = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
