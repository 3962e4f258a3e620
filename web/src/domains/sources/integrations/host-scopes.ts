import type { HostWorkspace } from '@sightline/contract/sources/host-connections.ts';

export type SelectableHostScope = HostWorkspace & { selected: boolean };

/** Returns the path of a selected scope that contains this one; undefined if none does. */
export const coveringScopePath = (
  { path }: Pick<HostWorkspace, 'path'>,
  scopes: readonly Pick<HostWorkspace, 'id' | 'path'>[],
  picked: ReadonlySet<string>,
): string | undefined => scopes.find((other) => picked.has(other.id) && path.startsWith(`${other.path}/`))?.path;
