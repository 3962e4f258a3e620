import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { HostBudget } from '#providers/host-budget.ts';
import type { Accounts, GitlabAccount } from './commit-shapes.ts';
import type { GitlabApi } from './transport.ts';

/** Finds accounts by the email addresses of authors. */
export interface AccountLookup {
  /** Looks up new email addresses. Returns all known accounts. */
  look: (path: string, commits: readonly { sha: string; email: string }[]) => Promise<Accounts>;
}

// With more parts, an instance rejects the query as too complex.
const PARTS_PER_QUERY = 20;

const answer = z.object({
  data: z
    .object({
      project: z
        .object({
          repository: z
            .record(
              z.string(),
              z
                .object({
                  lastCommit: z
                    .object({
                      sha: z.string(),
                      author: z
                        .object({ id: z.string().nullish(), username: z.string(), avatarUrl: z.string().nullish() })
                        .nullish(),
                    })
                    .nullish(),
                })
                .nullish(),
            )
            .nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

interface KnownAccounts {
  /** By email address in lower case. */
  known: Map<string, GitlabAccount>;
  /** The addresses that were looked up, also without an account. */
  resolved: Set<string>;
}

const newAccounts = (): KnownAccounts => ({ known: new Map(), resolved: new Set() });

/** An address may get another account, so that results are looked up again after this time. */
const KEPT_MS = 10 * 60_000;
const byBudget = new WeakMap<HostBudget, { accounts: KnownAccounts; until: number }>();

/** The accounts that other hosts with the budget, and so the credential, have found in the last minutes. */
export function accountsOf(budget: HostBudget): KnownAccounts {
  const kept = byBudget.get(budget);
  if (kept && kept.until > Date.now()) return kept.accounts;
  const accounts = newAccounts();
  byBudget.set(budget, { accounts, until: Date.now() + KEPT_MS });
  return accounts;
}

/**
 * Finds accounts by GraphQL with one commit per email address, because REST does not return the account of an author.
 * Adds results to the known accounts. If the instance refuses, authors have no accounts.
 */
export function createAccounts(
  ask: GitlabApi,
  baseURL: string,
  { known, resolved }: KnownAccounts = newAccounts(),
): AccountLookup {
  let isRefused = false;

  const askFor = async (path: string, part: readonly { sha: string; email: string }[]): Promise<void> => {
    const variables = Object.fromEntries(part.map(({ sha }, index) => [`s${index}`, sha]));
    const body = { query: questionOf(part.length), variables: { path, ...variables } };
    const { data } = await ask('/api/graphql', { method: 'POST', body });
    const found = answer.parse(data).data?.project?.repository ?? {};
    for (const [index, { sha, email }] of part.entries()) {
      const last = found[`c${index}`]?.lastCommit;
      // GraphQL skips commits without changed files. A later commit with this address is used instead.
      if (last?.sha !== sha) continue;
      resolved.add(email);
      const { id, username, avatarUrl } = last.author ?? {};
      // The format of GraphQL: `gid://gitlab/User/42`.
      const hostId = /\/User\/(\d+)$/.exec(id ?? '')?.[1];
      if (username) {
        known.set(email, {
          login: username,
          ...(hostId !== undefined && { hostId }),
          avatarUrl: avatarUrl ? new URL(avatarUrl, baseURL).href : null,
        });
      }
    }
  };

  return {
    async look(path, commits) {
      if (isRefused) return known;
      const byEmail = new Map(
        commits.map(({ sha, email }) => [email.toLowerCase(), { sha, email: email.toLowerCase() }]),
      );
      const open = [...byEmail.values()].filter(({ email }) => email !== '' && !resolved.has(email));
      try {
        for (let from = 0; from < open.length; from += PARTS_PER_QUERY)
          await askFor(path, open.slice(from, from + PARTS_PER_QUERY));
      } catch (error) {
        if (!(error instanceof HostRefused || error instanceof z.ZodError)) throw error;
        isRefused = true;
      }
      return known;
    },
  };
}

const questionOf = (count: number): string => {
  const all = Array.from({ length: count }, (_, index) => index);
  return `query ($path: ID!, ${all.map((at) => `$s${at}: String!`).join(', ')}) {
  project(fullPath: $path) {
    repository {
      ${all.map((at) => `c${at}: tree(ref: $s${at}) { lastCommit { sha author { id username avatarUrl } } }`).join('\n      ')}
    }
  }
}`;
};
