import { sitePath } from '@sightline/contract/core/text.ts';
import { type StorageKey, store, stored } from './storage.ts';

/** A path of this site in its normal form, or undefined for anything that could lead away from it. */
export function toSitePath(given: unknown): string | undefined {
  const path = sitePath.safeParse(given).data;
  if (path === undefined || !URL.canParse(path, window.location.origin)) return undefined;
  const { pathname, search, hash } = new URL(path, window.location.origin);
  // `/.//host` is a path, but its normal form `//host` names another site to whoever reads it next.
  return sitePath.safeParse(`${pathname}${search}${hash}`).data;
}

type PathKey = Extract<StorageKey, 'initialUrl' | 'returnUrl'>;

/** Keeps where to go on; whatever is no path of this site is not kept. */
export const storePath = (key: PathKey, path: string): void => store(key, toSitePath(path));

/** Reads a kept path once: checked again, since anybody who got into the storage could have written it. */
export function takePath(key: PathKey): string | undefined {
  const path = toSitePath(stored(key));
  store(key, undefined);
  return path;
}
