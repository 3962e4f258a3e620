import { type Flag, flagNames } from '@sightline/contract/core/flags.ts';
import { z } from 'zod';

export type FlagOverrides = Partial<Record<Flag, boolean>>;

// Not in local storage, so that overrides end with the tab or the session.
const key = 'flagOverrides';
const storedOverrides = z.object({ account: z.string(), flags: z.partialRecord(z.enum(flagNames), z.boolean()) });

/** The flag overrides of an account in this tab. They affect rendering only; the server does not receive them. */
export function readOverrides(account: string): FlagOverrides {
  const { data } = storedOverrides.safeParse(parsed(sessionStorage.getItem(key)));
  return data?.account === account ? data.flags : {};
}

/** Replaces all overrides. Pages apply them after a reload. */
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
