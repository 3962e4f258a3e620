import { z } from 'zod';

interface CodeHostDescription {
  readonly title: string;
  /** `app`: installed by an owner there; `grant`: members sign in or enter a token, and select groups or workspaces. */
  readonly connection: 'app' | 'grant';
  /**
   * Whether account numbers are unique among all accounts of this kind of code host. On hosts with several instances,
   * two accounts can have the same number.
   */
  readonly hasUniqueAccounts: boolean;
  /** Whether `server/src/providers` contains it. A host that is not available is neither accepted nor shown. */
  readonly isAvailable: boolean;
}

/** Every code host, in the order of lists. The key is the stored name; CONTRIBUTING.md lists what else a host needs. */
export const codeHosts = {
  github: {
    title: 'GitHub',
    connection: 'app',
    hasUniqueAccounts: true,
    isAvailable: true,
  },
  bitbucket: {
    title: 'Bitbucket',
    connection: 'grant',
    hasUniqueAccounts: true,
    isAvailable: true,
  },
  gitlab: {
    title: 'GitLab',
    connection: 'grant',
    hasUniqueAccounts: false,
    isAvailable: true,
  },
  gitea: {
    title: 'Forgejo / Gitea',
    connection: 'grant',
    hasUniqueAccounts: false,
    isAvailable: true,
  },
  'bitbucket-data-center': {
    title: 'Bitbucket Data Center',
    connection: 'grant',
    hasUniqueAccounts: false,
    isAvailable: true,
  },
  'azure-devops': {
    title: 'Azure DevOps',
    connection: 'grant',
    hasUniqueAccounts: false,
    isAvailable: true,
  },
  gerrit: {
    title: 'Gerrit',
    connection: 'grant',
    hasUniqueAccounts: false,
    isAvailable: true,
  },
} as const satisfies Record<string, CodeHostDescription>;

export type Provider = keyof typeof codeHosts;

const descriptions: Readonly<Record<Provider, CodeHostDescription>> = codeHosts;
const names = Object.keys(codeHosts) as Provider[];

/** The available code hosts. */
export const providers = names.filter((name) => descriptions[name].isAvailable) as [Provider, ...Provider[]];
export const provider = z.enum(providers);

export const providerNames = Object.fromEntries(names.map((name) => [name, descriptions[name].title])) as Readonly<
  Record<Provider, string>
>;

/** Whether two accounts of a kind of code host can have the same number. */
export const hasUniqueAccounts = (kind: string): boolean =>
  !Object.hasOwn(descriptions, kind) || descriptions[kind as Provider].hasUniqueAccounts;

/** Code hosts without an app: a member signs in there or enters a token. */
export type ConnectableHost = {
  [Name in Provider]: (typeof codeHosts)[Name]['connection'] extends 'grant' ? Name : never;
}[Provider];
export const connectableHosts = providers.filter((name) => descriptions[name].connection === 'grant') as [
  ConnectableHost,
  ...ConnectableHost[],
];
