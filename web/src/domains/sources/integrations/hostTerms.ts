import type { ConnectableHost } from '@sightline/contract/core/providers.ts';

/** A field beside the token. */
interface TokenField {
  label: string;
  description: string;
}

/** The terms of a code host without an app, and the requirements of a connection. */
export interface HostTerms {
  name: ConnectableHost;
  /** A host scope: `group` and `groups`. */
  one: string;
  many: string;
  /** Required permissions of a token. */
  needs: readonly string[];
  /** Whether Sightline polls it, because it sends no webhooks. */
  isPolled?: boolean;
  /** Where tokens are created. */
  where: string;
  /** The account of a token, for hosts whose tokens do not tell it. */
  account?: TokenField & { isEmail: boolean };
  /** What a token is limited to, for the same reason. */
  workspace?: TokenField;
}

/** A file `terms.ts` in the folder of a code host exports it as `terms`. No other list exists. */
const modules = import.meta.glob<{ terms: HostTerms }>('./*/terms.ts', { eager: true });
const all = Object.values(modules).map(({ terms }) => terms);

export function hostTermsOf(host: ConnectableHost): HostTerms {
  const terms = all.find(({ name }) => name === host);
  if (!terms) throw new Error(`No terms for ${host}`);
  return terms;
}
