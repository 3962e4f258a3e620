/** Whether browsers reach the server by https, so that cookies are `Secure`. */
export const isSecure = ({ PUBLIC_URL }: { PUBLIC_URL: string }): boolean => PUBLIC_URL.startsWith('https:');

/** The name of a cookie that under https only this host can set, not a sibling domain and not a page without encryption. */
export const hostCookie = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name);

/** The same for a cookie of some paths only, which browsers do not let be so strict: it must come by https. */
export const secureCookie = (name: string, secure: boolean): string => (secure ? `__Secure-${name}` : name);

/** What `hostCookie` needs. Sent with links from other sites, not with their requests, and read by no script. */
export const hostCookieOptions = (secure: boolean) => ({ path: '/', httpOnly: true, sameSite: 'lax', secure }) as const;
