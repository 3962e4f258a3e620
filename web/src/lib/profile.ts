/** Where a person changes what belongs to their account (spec 2.12). */
export const accountSettingsPath = '/account';

/** The login in the address of a profile. */
export const handleOf = (segment: string): string => segment.replace(/^@/, '');

/**
 * The address of a profile: the login, or `@login` where the bare login is the name of a page. No login holds an @.
 * `taken` are the first segments of every page; without them it is the address that holds whatever pages there are.
 */
export const profilePath = (login: string, taken?: ReadonlySet<string>): string =>
  !taken || taken.has(login.toLowerCase()) ? `/@${login}` : `/${login}`;
