import { isRecord } from '../ledger/canonical.ts';
import { changeKind } from './change-entries.ts';
import type { IndexedEntry } from './parsed-entries.ts';
import type { LeafEntry } from './verification-state.ts';

/** The pull request of a change, such as `acme/widgets#12`. */
export interface ChangeLink {
  readonly name: string;
  /** On its code host; null if the host or the name is not one of a URL. */
  readonly url: string | null;
}

/** By the index of the entry of the change. */
export type ChangeLinks = ReadonlyMap<number, ChangeLink>;

type LinkedEntry = IndexedEntry & Pick<LeafEntry, 'source'>;

/**
 * Returns the pull requests of the changes in the counted range, in repositories whose name a bundle discloses. The
 * entry of a change names its host; the kind of the host is the source of the entry.
 */
export function changeLinksIn(
  entries: readonly LinkedEntry[],
  { from, size }: { readonly from: number; readonly size: number },
  names: ReadonlyMap<string, string>,
): ChangeLinks {
  const links = new Map<number, ChangeLink>();
  for (const { index, kind, source, subject } of entries) {
    const { repository, number, origin = null } = subject;
    const name = names.get(String(repository));
    if (kind !== changeKind || index < from || index >= size || name === undefined || typeof number !== 'number')
      continue;
    const host = isRecord(origin) ? String(origin.host) : '';
    links.set(index, {
      name: `${name}${source === 'gitlab' ? '!' : '#'}${number}`,
      url: urlOf({ source, host, name, number }),
    });
  }
  return links;
}

/** `https://github.com/acme/widgets` and the number of a pull request. */
type AddressOf = (host: string, name: string, number: number) => string;

const under =
  (path: string): AddressOf =>
  (host, name, number) =>
    `https://${host}/${name}/${path}/${number}`;

const addresses: Readonly<Record<string, AddressOf>> = {
  github: under('pull'),
  gitlab: under('-/merge_requests'),
  bitbucket: under('pull-requests'),
  gitea: under('pulls'),
  'bitbucket-data-center': (host, name, number) => {
    const [project, repository] = name.split('/');
    return `https://${host}/projects/${project}/repos/${repository}/pull-requests/${number}`;
  },
  'azure-devops': (host, name, number) => {
    const parts = name.split('/');
    return `https://${host}/${parts.slice(0, -1).join('/')}/_git/${parts.at(-1)}/pullrequest/${number}`;
  },
  gerrit: (host, name, number) => `https://${host}/c/${name}/+/${number}`,
};

function urlOf({ source, host, name, number }: { source: string; host: string; name: string; number: number }) {
  const addressOf = Object.hasOwn(addresses, source) ? addresses[source] : undefined;
  // Only characters that need no encoding: the name is one of a code host, and the link is shown to auditors.
  const isPlain = /^[A-Za-z0-9.-]+(:[0-9]+)?$/.test(host) && /^[A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+)+$/.test(name);
  return addressOf !== undefined && isPlain ? addressOf(host, name, number) : null;
}
