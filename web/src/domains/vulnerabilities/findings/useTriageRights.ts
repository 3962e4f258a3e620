import { hasPermission, isContributor, useSession } from '#lib/session.ts';

/** Returns the decisions offered to the user. The server checks each finding again. */
export function useTriageRights(): { decide: boolean; request: boolean } {
  const session = useSession();
  const writes = hasPermission(session, 'write:findings');
  // Contributors can only request decisions (spec's answers, section 4).
  return { decide: writes && !isContributor(session), request: writes };
}
