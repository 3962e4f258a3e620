import { byCodeUnits } from '../controls/order.ts';
import { type CanonicalValue, canonicalJson, isRecord } from '../ledger/canonical.ts';
import { isChangeInScope, latestChangesIn } from './change-entries.ts';
import type { ChangeHost } from './openings.ts';
import type { BundleScope } from './scope.ts';
import type { LeafEntry } from './verification-state.ts';

/**
 * Returns the code hosts of all changes in the scope of a bundle, in order. Throws if the entry of a change names no
 * host.
 */
export function codeHostsOf(
  entries: Iterable<Pick<LeafEntry, 'index' | 'kind' | 'subject'>>,
  size: number,
  scope: Pick<BundleScope, 'period' | 'repositories'>,
): ChangeHost[] {
  const hosts = new Map<string, { host: string; connection: string | null; repositories: Set<string> }>();
  for (const { leaf, subject } of latestChangesIn(entries, size).filter((change) =>
    isChangeInScope(change.subject, scope),
  )) {
    const { host, connection, repository } = originIn(subject.origin, leaf);
    const key = canonicalJson([host, connection]);
    const found = hosts.get(key) ?? { host, connection, repositories: new Set<string>() };
    found.repositories.add(canonicalJson([String(subject.repository), repository]));
    hosts.set(key, found);
  }
  return [...hosts.entries()]
    .toSorted(([one], [other]) => byCodeUnits(one, other))
    .map(([, { host, connection, repositories }]) => ({
      host,
      connection,
      repositories: [...repositories].toSorted(byCodeUnits).map((key) => {
        const [id = '', hostId = ''] = JSON.parse(key) as string[];
        return { id, hostId };
      }),
    }));
}

function originIn(origin: CanonicalValue | undefined, leaf: number) {
  if (origin !== undefined && isRecord(origin) && Object.keys(origin).length === 3) {
    const { host, connection, repository } = origin;
    const isConnection = connection === null || typeof connection === 'string';
    if (typeof host === 'string' && typeof repository === 'string' && isConnection)
      return { host, connection, repository };
  }
  throw new Error(`The change of entry ${leaf} does not name its code host`);
}

/** One line per code host, for display. */
export const codeHostLines = (hosts: readonly ChangeHost[]): string[] =>
  hosts.map(({ host, connection, repositories }) => {
    const ids = repositories.map(({ hostId }) => hostId);
    const shown = ids.length > 10 ? `${ids.slice(0, 10).join(', ')} and ${ids.length - 10} more` : ids.join(', ');
    const by = connection === null ? 'the connection was not recorded' : `connected by entry ${connection}`;
    return `Code host ${host}, ${by}: ${ids.length === 1 ? 'repository' : 'repositories'} ${shown}`;
  });
