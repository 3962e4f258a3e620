import { isContributor, may, useSession } from '#lib/session.ts';

/** What is offered; the server asks the same again. Contributors may ask for exceptions, and decide nothing. */
export function useTriageRights(): { asks: boolean; decides: boolean } {
  const session = useSession();
  const asks = may(session, 'write:findings');
  return { asks, decides: asks && !isContributor(session) };
}
