/** The failure that /link displays. */
export type LinkFailure = 'cancelled' | 'refused' | 'unreachable' | 'expired' | 'other-account' | 'taken';

/** The page of the app where linking ends. `path` is a path of this site, validated when linking started. */
export const backUrl = (
  publicUrl: string,
  path: string | undefined,
  outcome: { error?: LinkFailure; merged?: 'yes' },
): string => `${publicUrl}/link?${new URLSearchParams({ ...outcome, ...(path !== undefined && { path }) })}`;
