/** A parsed address, or what is wrong with it as the end of a sentence. */
export type Destination = { url: URL } | { problem: string };

// Programs read these differently: the URL Standard takes a backslash for a slash and drops tabs, line breaks and spaces at the ends.
const ambiguous = /[\\\s\p{Cc}\p{Cf}\p{Cs}]/u;

/**
 * The one parser of addresses that Sightline connects to. It accepts only what every program splits into the same scheme, host and
 * port, and only `href` of its answer may be handed to another program. It connects to nothing and resolves no name.
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
  // A resolver treats this name like the one without the dot, and pins and certificates do not.
  if (url.hostname.endsWith('.')) return { problem: 'must not end its host with a dot' };
  return { url };
}

/** The host of an address as resolvers take it: an IPv6 address without its brackets. */
export const hostIn = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
