import type { Realtime } from '#core/realtime.ts';

/** Milliseconds between two pieces of news to one organisation: in the morning hundreds of people come at once. */
const pause = 1_000;

/** Tells an organisation who came or went: the first at once, those who follow within the pause together. */
export function createCrier({ tell }: Pick<Realtime, 'tell'>): (orgId: string, accountId: string) => void {
  const waiting = new Map<string, Set<string>>();

  const rest = (orgId: string) =>
    setTimeout(() => {
      const accountIds = [...(waiting.get(orgId) ?? [])];
      waiting.delete(orgId);
      if (accountIds.length === 0) return;
      tell(orgId, 'extStatus', { accountIds });
      waiting.set(orgId, new Set());
      rest(orgId);
    }, pause).unref();

  return (orgId, accountId) => {
    const others = waiting.get(orgId);
    if (others) {
      others.add(accountId);
      return;
    }
    tell(orgId, 'extStatus', { accountIds: [accountId] });
    waiting.set(orgId, new Set());
    rest(orgId);
  };
}
