import { useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import type { Search } from '#lib/search.ts';
import { toSitePath } from '#lib/site-path.ts';
import { useUrlQuery } from '#lib/url-query.ts';

const setups = ['checkmarx', 'github', 'gitlab', 'bitbucket'] as const;
export type SetupName = (typeof setups)[number];

const schema = z.object({ setup: z.enum(['', ...setups]).default('') });

/** Whether a form is open. The address holds this state, so that links open the form and Back closes it. */
export function useSetupOpen(name: SetupName): readonly [boolean, (open: boolean) => void] {
  const [{ setup }, setQuery] = useUrlQuery(schema);
  return [setup === name, (open) => setQuery({ setup: open ? name : '' })];
}

const returnKey = (name: SetupName) => `return.${name}`;

/** Stores in this tab where an external sign-in started, for the return after a refusal. */
export const storeReturnPath = (name: SetupName, path: string): void => sessionStorage.setItem(returnKey(name), path);

/** Returns where an external sign-in started in this tab, limited to paths of this site. */
export const storedReturnPath = (name: SetupName): string | undefined =>
  toSitePath(sessionStorage.getItem(returnKey(name)) ?? undefined);

/** Returns the path after connecting: the setup if it opened this page. Limited to paths of this site. */
export function useReturnPath(): string | undefined {
  const { path }: Search = useSearch({ strict: false });
  return toSitePath(path);
}
