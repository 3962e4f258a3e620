import { isContributor, may, useSession } from '#lib/session.ts';

/** What the asking person is offered to decide; the server asks again, finding by finding. */
export function useTriageRights(): { decide: boolean; request: boolean } {
  const session = useSession();
  const writes = may(session, 'write:findings');
  // A contributor's reach ends at asking (spec's answers, section 4).
  return { decide: writes && !isContributor(session), request: writes };
}
