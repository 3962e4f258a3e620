/** Whether browsers reach the server over https, so that cookies are `Secure`. */
export const usesSecureCookies = ({ PUBLIC_URL }: { PUBLIC_URL: string }): boolean => PUBLIC_URL.startsWith('https:');

/**
 * The name of a cookie. Over https it has the `__Host-` prefix, so that neither a sibling domain nor an unencrypted
 * page can set it.
 */
export const hostCookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name);

/**
 * The name of a cookie limited to a path, for which browsers do not allow `__Host-`. Over https it has the `__Secure-`
 * prefix.
 */
export const secureCookieName = (name: string, secure: boolean): string => (secure ? `__Secure-${name}` : name);

/**
 * Cookie options that a name of `hostCookieName` requires. Browsers send the cookie with links from other sites but not with their
 * requests, and scripts cannot read it.
 */
export const hostCookieOptions = (secure: boolean) => ({ path: '/', httpOnly: true, sameSite: 'lax', secure }) as const;
