import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { HostBudget } from '#providers/host-budget.ts';
import type { HostCommit, HostUser } from '../host-facts.ts';
import { type AzureDevopsCommit, commitFrom } from './commit-shapes.ts';
import { identityFrom } from './identities.ts';
import { list } from './shapes.ts';
import type { AzureDevopsApi } from './transport.ts';

/** Finds accounts by the email addresses of authors, because commits name none. */
export interface AccountLookup {
  /** Commits with the accounts of their authors and committers. */
  commitsWith: (found: readonly AzureDevopsCommit[]) => Promise<HostCommit[]>;
}

interface KnownAccounts {
  /** By email address in lower case. */
  known: Map<string, HostUser>;
  /** The addresses that were looked up, also without an account. */
  resolved: Set<string>;
  isRefused: boolean;
}

/** An address may get another account, so that results are looked up again after this time. */
const KEPT_MS = 10 * 60_000;
const CONCURRENCY = 4;
const byBudget = new WeakMap<HostBudget, { accounts: KnownAccounts; until: number }>();

const newAccounts = (): KnownAccounts => ({ known: new Map(), resolved: new Set(), isRefused: false });

/** The accounts that other hosts with the budget, and so the credential, have found in the last minutes. */
function accountsOf(budget: HostBudget | undefined): KnownAccounts {
  const kept = budget && byBudget.get(budget);
  if (kept && kept.until > Date.now()) return kept.accounts;
  const accounts = newAccounts();
  if (budget) byBudget.set(budget, { accounts, until: Date.now() + KEPT_MS });
  return accounts;
}

/** Without the permission to read identities, authors have no accounts. Two accounts with one address are none. */
export function createAccounts(api: AzureDevopsApi, budget: HostBudget | undefined): AccountLookup {
  const accounts = accountsOf(budget);
  const look = async (email: string): Promise<void> => {
    const query = { searchFilter: 'MailAddress', filterValue: email, queryMembership: 'None' };
    const { data } = await api.json('/_apis/identities', { site: 'identities', query });
    const found = list.parse(data).flatMap((json) => identityFrom(json) ?? []);
    const people = found.filter(({ isGroup, isActive }) => !isGroup && isActive);
    accounts.resolved.add(email);
    const [only] = people;
    if (only && people.length === 1) accounts.known.set(email, only.user);
  };
  return {
    async commitsWith(found) {
      const emails = found.flatMap(({ author, committer }) => [author?.email, committer?.email]);
      const addresses = new Set(
        emails.map((email) => email?.toLowerCase() ?? '').filter((email) => email.includes('@')),
      );
      const open = [...addresses].filter((email) => !accounts.resolved.has(email));
      try {
        for (let from = 0; from < open.length && !accounts.isRefused; from += CONCURRENCY)
          await Promise.all(open.slice(from, from + CONCURRENCY).map(look));
      } catch (error) {
        if (!(error instanceof z.ZodError || (error instanceof HostRefused && error.status !== 401))) throw error;
        accounts.isRefused = true;
      }
      return found.map((commit) => commitFrom(commit, accounts.known));
    },
  };
}
