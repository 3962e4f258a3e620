import { type Flag, flagNames } from '@sightline/contract/core/flags.ts';
import { z } from 'zod';

export type FlagOverrides = Partial<Record<Flag, boolean>>;

// Not in local storage: an employee's try ends with the tab, or with the session.
const key = 'flagOverrides';
const kept = z.object({ account: z.string(), flags: z.partialRecord(z.enum(flagNames), z.boolean()) });

/** What an account chose to see otherwise in this tab. They change what is drawn; the server never hears of them. */
export function readOverrides(account: string): FlagOverrides {
  const { data } = kept.safeParse(parsed(sessionStorage.getItem(key)));
  return data?.account === account ? data.flags : {};
}

/** Takes the place of all overrides. Pages take notice when they are loaded anew. */
export function writeOverrides(account: string, flags: FlagOverrides): void {
  if (Object.keys(flags).length === 0) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify({ account, flags }));
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
