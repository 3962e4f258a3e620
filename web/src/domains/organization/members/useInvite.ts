import { ApiError } from '@sightline/contract/core/client.ts';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import {
  type InviteResult,
  inviteMembers,
  MAX_INVITATIONS_PER_REQUEST,
} from '@sightline/contract/organization/invitations.ts';
import { useEffect, useState } from 'react';
import { call } from '#lib/api.ts';
import { logInviteFailure } from '#lib/reason.ts';
import { announce } from '#ui/announce.ts';
import { memberErrorText, useRefresh } from './changes.ts';

interface Progress {
  done: number;
  total: number;
}
interface Failure {
  message: string;
  cause: string | undefined;
}

/** Sends addresses in batches of a hundred and collects the results. Calls `onSent` with each processed batch. */
export function useInvite(onSent: (addresses: readonly string[]) => void) {
  const [progress, setProgress] = useState<Progress>();
  const [results, setResults] = useState<InviteResult>();
  const [failure, setFailure] = useState<Failure>();
  const refresh = useRefresh();
  const sending = progress !== undefined;
  useEffect(() => {
    if (!sending) return;
    // Closing the tab now would leave some addresses uninvited.
    const ask = (event: Event) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [sending]);

  async function invite(emails: readonly string[], roleID: RoleId): Promise<void> {
    const all: InviteResult = { invited: [], skipped: [] };
    setResults(undefined);
    setFailure(undefined);
    try {
      for (let done = 0; done < emails.length; done += MAX_INVITATIONS_PER_REQUEST) {
        setProgress({ done, total: emails.length });
        const part = emails.slice(done, done + MAX_INVITATIONS_PER_REQUEST);
        const { invited, skipped } = await call(inviteMembers, { body: { invite: { emails: part, roleID } } });
        all.invited.push(...invited);
        all.skipped.push(...skipped);
        onSent(part);
      }
    } catch (error) {
      logInviteFailure(error);
      setFailure(failureOf(error, all.invited.length));
    }
    setProgress(undefined);
    refresh();
    if (all.invited.length + all.skipped.length === 0) return;
    setResults(all);
    announce(`${all.invited.length} invited, ${all.skipped.length} not`);
  }

  return {
    invite,
    progress,
    results,
    failure,
    forget: () => {
      setResults(undefined);
      setFailure(undefined);
    },
  };
}

function failureOf(error: unknown, before: number): Failure {
  const message = error instanceof Error ? memberErrorText(error) : String(error);
  return {
    message:
      before === 0 ? message : `${message} ${before} were invited. The remaining addresses are still in the field.`,
    cause: error instanceof ApiError ? error.refusal?.cause : undefined,
  };
}
