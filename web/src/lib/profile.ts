/** The account settings (spec 2.12). */
export const accountSettingsPath = '/account';

/** The login in a profile URL. */
export const loginOfHandle = (segment: string): string => segment.replace(/^@/, '');

/**
 * The URL of a profile: the login, or `@login` if the login equals the name of a page. Logins contain no @. `taken` are
 * the first segments of all pages; without them the URL is always unambiguous.
 */
export const profilePath = (login: string, taken?: ReadonlySet<string>): string =>
  !taken || taken.has(login.toLowerCase()) ? `/@${login}` : `/${login}`;
