import type { HostRef } from '../host-facts.ts';
import { commitFrom } from './commit-shapes.ts';
import { readEveryItem } from './paging.ts';
import { repositoryPath } from './paths.ts';
import type { DataCenterApi } from './transport.ts';

/** The commits reachable from `head` and not from `base`, oldest first. */
export async function commitsBetween(api: DataCenterApi, ref: HostRef, base: string, head: string) {
  const query = { since: base, until: head, merges: 'include' };
  return (await readEveryItem(api, `${repositoryPath(ref)}/commits`, query)).map(commitFrom).reverse();
}
