import { z } from 'zod';
import { useUrlQuery } from '#lib/url-query.ts';

const schema = z.object({ setup: z.enum(['', 'checkmarx']).default('') });

/** Whether the form of the scanner is open: in the address, so that a link can lead to it and Back closes it. */
export function useSetupOpen(): readonly [boolean, (open: boolean) => void] {
  const [{ setup }, setQuery] = useUrlQuery(schema);
  return [setup === 'checkmarx', (open) => setQuery({ setup: open ? 'checkmarx' : '' })];
}
