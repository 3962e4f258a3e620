import type { Language } from './source-text.ts';

/** The code hosts of the demo. */
export type DemoHost = 'github' | 'gitlab' | 'bitbucket';

/** A repository of the demo organization. `nouns`: what its code is about, one source file each. */
export type DemoRepository = {
  name: string;
  host: DemoHost;
  language: Language;
  nouns: readonly string[];
  /** Whether its default branch becomes protected in the middle of the history. */
  isProtected: boolean;
};

/** The accounts that own the repositories: one organization, group or workspace for each host. */
export const demoOwners: Readonly<Record<DemoHost, string>> = {
  github: 'harborline',
  gitlab: 'harborline-platform',
  bitbucket: 'harborline-data',
};

export const demoRepositories: readonly DemoRepository[] = [
  {
    name: 'payments-api',
    host: 'github',
    language: 'typescript',
    nouns: ['payment', 'refund', 'payout', 'mandate', 'chargeback', 'invoice', 'receipt', 'webhook'],
    isProtected: true,
  },
  {
    name: 'checkout-web',
    host: 'github',
    language: 'typescript',
    nouns: ['basket', 'voucher', 'address', 'session', 'order', 'wallet', 'locale', 'form'],
    isProtected: true,
  },
  {
    name: 'ledger-service',
    host: 'github',
    language: 'go',
    nouns: ['posting', 'account', 'balance', 'journal', 'transfer', 'statement', 'period', 'currency'],
    isProtected: true,
  },
  {
    name: 'mobile-sdk',
    host: 'github',
    language: 'java',
    nouns: ['card', 'token', 'device', 'challenge', 'intent', 'profile', 'screen', 'callback'],
    isProtected: false,
  },
  {
    name: 'infrastructure',
    host: 'gitlab',
    language: 'python',
    nouns: ['cluster', 'network', 'secret', 'volume', 'certificate', 'role', 'image', 'alarm'],
    isProtected: true,
  },
  {
    name: 'identity-gateway',
    host: 'gitlab',
    language: 'go',
    nouns: ['login', 'passkey', 'scope', 'claim', 'client', 'grant', 'key', 'consent'],
    isProtected: true,
  },
  {
    name: 'fraud-models',
    host: 'bitbucket',
    language: 'python',
    nouns: ['feature', 'score', 'sample', 'label', 'threshold', 'signal', 'case', 'rule'],
    isProtected: false,
  },
  {
    name: 'reporting-jobs',
    host: 'bitbucket',
    language: 'java',
    nouns: ['report', 'extract', 'schedule', 'column', 'archive', 'delivery', 'total', 'filing'],
    isProtected: true,
  },
];
