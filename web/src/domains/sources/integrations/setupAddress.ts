import { useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import type { Search } from '#lib/search-params.ts';
import { toSitePath } from '#lib/site-path.ts';
import { useUrlQuery } from '#lib/url-query.ts';

const schema = z.object({ setup: z.string().default('') });

/** Whether the form of an integration is open. The address holds this state, so that links open the form and Back closes it. */
export function useSetupOpen(name: string): readonly [boolean, (open: boolean) => void] {
  const [{ setup }, setQuery] = useUrlQuery(schema);
  return [setup === name, (open) => setQuery({ setup: open ? name : '' })];
}

const returnKey = (name: string) => `return.${name}`;

/** Stores in this tab where an external sign-in started, for the return after a refusal. */
export const storeReturnPath = (name: string, path: string): void => sessionStorage.setItem(returnKey(name), path);

/** Returns where an external sign-in started in this tab, limited to paths of this site. */
export const storedReturnPath = (name: string): string | undefined =>
  toSitePath(sessionStorage.getItem(returnKey(name)) ?? undefined);

/** Returns the path after connecting: the setup if it opened this page. Limited to paths of this site. */
export function useReturnPath(): string | undefined {
  const { path }: Search = useSearch({ strict: false });
  return toSitePath(path);
}
