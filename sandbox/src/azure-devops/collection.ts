import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Comments, createComments } from '../git/comments.ts';
import type { User } from '../git/users.ts';
import type { Host } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { type AzureDeliveries, createDeliveries } from './deliveries.ts';
import type { AzureHook } from './hook.ts';

/** The path of the collection in the sandbox, as on a server. */
export const collectionPath = '/azure-devops/collection';

/** `full`, or the scopes of a token as in the settings. */
export type TokenScope = 'full' | 'code' | 'code_write' | 'identity' | 'security' | 'hooks' | 'project';

type AzureToken = { userId: number; scopes: TokenScope[] };

/** A status set by a program: of a commit, or of a version of a pull request. */
export type AzureStatus = {
  id: number;
  repositoryId: number;
  sha: string;
  pull: number | null;
  iterationId: number | null;
  state: string;
  genre: string | null;
  name: string;
  description: string;
  targetUrl: string;
  at: number;
};

type AzureState = { tokens: Record<string, AzureToken>; hooks: AzureHook[] };

/** A simulated Azure DevOps over the repositories of the sandbox, with the same users and pull request numbers. */
export type AzureDevops = {
  host: Host;
  kept: AzureState;
  /** Call after a change of persistent state. */
  save: () => void;
  deliveries: AzureDeliveries;
  /** Statuses set by programs, oldest first; like comments kept in memory only. */
  said: AzureStatus[];
  comments: Comments;
  /** Whether token owners administer their projects, which is required to read permissions and to create hooks. */
  areAdministrators: boolean;
  /** Whether a rejected token leads to a page for signing in, as in Azure DevOps Services, instead of 401. */
  hasSignInPage: boolean;
  /** The newest version of the API, such as 7.1. Servers have older ones. */
  version: string;
  /** The URL of a list whose second page repeats the first one; undefined for none. */
  repeatedList: RegExp | undefined;
};

/** `file`: stores tokens and hooks across restarts; without it they are kept in memory only. */
export const createAzureDevops = (host: Host, file: string | undefined): AzureDevops => {
  const fresh: AzureState = { tokens: {}, hooks: [] };
  const kept = file !== undefined && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as AzureState) : fresh;
  const save = (): void => {
    if (file === undefined) return;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, JSON.stringify(kept, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  return {
    host,
    kept,
    save,
    deliveries: createDeliveries(),
    said: [],
    comments: createComments(),
    areAdministrators: true,
    hasSignInPage: false,
    version: '7.1',
    repeatedList: undefined,
  };
};

export const addressOf = ({ host }: Pick<AzureDevops, 'host'>): string => `${host.url}${collectionPath}`;

/** Creates a personal access token, 52 characters as of a server. */
export const createToken = (azure: AzureDevops, user: User, scopes: TokenScope[] = ['full']): string => {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
  const token = [...randomBytes(52)].map((byte) => alphabet.charAt(byte % 32)).join('');
  azure.kept.tokens[token] = { userId: user.id, scopes };
  azure.save();
  return token;
};

/** A stable GUID of a text. */
export const guidOf = (text: string): string =>
  createHash('sha256')
    .update(`azure-devops:${text}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

export const projectIdOf = ({ owner }: Pick<HostedRepository, 'owner'>): string => guidOf(`project:${owner.id}`);
export const repositoryIdOf = ({ id }: Pick<HostedRepository, 'id'>): string => guidOf(`repository:${id}`);
