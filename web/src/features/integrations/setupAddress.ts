import { z } from 'zod';
import { useUrlQuery } from '#lib/url-query.ts';

const setups = ['checkmarx', 'gitlab', 'bitbucket'] as const;
export type Setup = (typeof setups)[number];

const schema = z.object({ setup: z.enum(['', ...setups]).default('') });

/** Whether a form is open: in the address, so that a link can lead to it and Back closes it. */
export function useSetupOpen(name: Setup): readonly [boolean, (open: boolean) => void] {
  const [{ setup }, setQuery] = useUrlQuery(schema);
  return [setup === name, (open) => setQuery({ setup: open ? name : '' })];
}
