/** Why /link reports a failure. */
export type LinkFailure = 'cancelled' | 'refused' | 'unreachable' | 'expired' | 'other-account' | 'taken';

/** The page of the app where linking ends. `path` is one of this site, checked when the link was started. */
export const backUrl = (
  publicUrl: string,
  path: string | undefined,
  outcome: { error?: LinkFailure; merged?: 'yes' },
): string => `${publicUrl}/link?${new URLSearchParams({ ...outcome, ...(path !== undefined && { path }) })}`;
