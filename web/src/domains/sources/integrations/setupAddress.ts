import { useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import type { Search } from '#lib/search.ts';
import { toSitePath } from '#lib/site-path.ts';
import { useUrlQuery } from '#lib/url-query.ts';

const setups = ['checkmarx', 'github', 'gitlab', 'bitbucket'] as const;
export type Setup = (typeof setups)[number];

const schema = z.object({ setup: z.enum(['', ...setups]).default('') });

/** Whether a form is open: in the address, so that a link can lead to it and Back closes it. */
export function useSetupOpen(name: Setup): readonly [boolean, (open: boolean) => void] {
  const [{ setup }, setQuery] = useUrlQuery(schema);
  return [setup === name, (open) => setQuery({ setup: open ? name : '' })];
}

const returnKey = (name: Setup) => `return.${name}`;

/** Notes where a sign-in elsewhere was begun, for whoever is refused there: this tab alone. */
export const rememberReturn = (name: Setup, path: string): void => sessionStorage.setItem(returnKey(name), path);

/** Where a sign-in elsewhere was begun from in this tab. Of this site alone. */
export const returnOf = (name: Setup): string | undefined =>
  toSitePath(sessionStorage.getItem(returnKey(name)) ?? undefined);

/** Where to go on once something is connected: the setup, where it was opened from there. Of this site alone. */
export function useOnward(): string | undefined {
  const { path }: Search = useSearch({ strict: false });
  return toSitePath(path);
}
