import type { HostWorkspace } from '@sightline/contract/sources/host-connections.ts';

export type PickedHostPlace = HostWorkspace & { selected: boolean };

/** The path of a picked place that this one lies in; undefined where there is none. */
export const coveredBy = (
  { path }: Pick<HostWorkspace, 'path'>,
  places: readonly Pick<HostWorkspace, 'id' | 'path'>[],
  picked: ReadonlySet<string>,
): string | undefined => places.find((other) => picked.has(other.id) && path.startsWith(`${other.path}/`))?.path;
