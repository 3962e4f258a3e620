import { listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { account, organizations } from '#lib/account.ts';
import { ask } from '#lib/api.ts';
import { extensions } from '#lib/presence.ts';
import { currentSession, isOwner } from '#lib/session.ts';
import { queryClient } from './query-client.ts';

/** Asks what the shell shows while the flags are still on their way. Answers that are there are left alone. */
export function askAhead(): void {
  if (currentSession()?.organization === undefined) return;
  void queryClient.ensureQueryData(account()).catch(failedAlready);
  void queryClient.ensureQueryData(organizations()).catch(failedAlready);
  void queryClient.ensureQueryData(extensions()).catch(failedAlready);
}

/** The same for Home, which is drawn once it is known what is left to set up. */
export function askAheadForHome(): void {
  if (!isOwner(currentSession())) return;
  void queryClient.ensureQueryData(ask(listProviderRepos, {})).catch(failedAlready);
}

// The cache has told of it, as of every question that fails.
const failedAlready = () => undefined;
