import { sitePath } from '@sightline/contract/core/text.ts';
import { getStored, type StorageKey, setStored } from './storage.ts';

/** A normalized path of this site, or undefined for anything that could lead to another site. */
export function toSitePath(given: unknown): string | undefined {
  const path = sitePath.safeParse(given).data;
  if (path === undefined || !URL.canParse(path, window.location.origin)) return undefined;
  const { pathname, search, hash } = new URL(path, window.location.origin);
  // `/.//host` is a path, but its normal form `//host` names another site when parsed again.
  return sitePath.safeParse(`${pathname}${search}${hash}`).data;
}

type PathKey = Extract<StorageKey, 'initialUrl' | 'returnUrl'>;

/** Stores where to continue; anything but a path of this site is not stored. */
export const storePath = (key: PathKey, path: string): void => setStored(key, toSitePath(path));

/**
 * Reads and removes a stored path. Validated again, since an attacker with access to the storage could have written it.
 */
export function consumePath(key: PathKey): string | undefined {
  const path = toSitePath(getStored(key));
  setStored(key, undefined);
  return path;
}
