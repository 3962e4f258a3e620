import { Button } from '@mantine/core';
import { endOtherSessions, endSession, listSessions, type Session } from '@sightline/contract/identity/sessions.ts';
import { IconDeviceDesktop, IconDeviceMobile, IconDeviceTablet, IconWorld } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery, keyOf } from '#lib/api.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Tag } from '#ui/Tag.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { toast } from '#ui/toast.ts';
import { AccountListItem } from './Row.tsx';
import { AccountSection, SkeletonRows } from './Section.tsx';

const devices = { desktop: IconDeviceDesktop, phone: IconDeviceMobile, tablet: IconDeviceTablet, other: IconWorld };
const nameOf = ({ browser, system }: Session) =>
  [browser, system].filter((part) => part !== '').join(' on ') || 'Unknown browser';

/** Lists the sessions of the account. Each can be signed out immediately. */
export function Sessions() {
  const { data, error, refetch } = useQuery({ ...endpointQuery(listSessions, {}), meta: { quiet: true } });
  const queryClient = useQueryClient();
  const [ending, setEnding] = useState<Session | 'others'>();
  const end = useMutation({
    mutationFn: (target: Session | 'others') =>
      target === 'others' ? call(endOtherSessions, {}) : call(endSession, { params: { sessionId: target.id } }),
    onSuccess: (left, target) => {
      queryClient.setQueryData(keyOf(listSessions, {}), left);
      toast.success(target === 'others' ? 'All other sessions are signed out.' : `${nameOf(target)} is signed out.`);
    },
    // The session has probably ended in the meantime, so the list is refetched.
    onError: () => void refetch(),
    onSettled: () => setEnding(undefined),
  });
  const others = data?.filter(({ current }) => !current) ?? [];
  return (
    <AccountSection
      id="sessions"
      title="Active sessions"
      flush
      aside={
        others.length > 0 && (
          <Button variant="subtle" size="compact-sm" onClick={() => setEnding('others')}>
            Sign out all others
          </Button>
        )
      }
    >
      {error && !data ? (
        <Failure title="Your sessions could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows />
      ) : (
        <ul>
          {data.map((session) => {
            const Icon = devices[session.device];
            return (
              <AccountListItem
                key={session.id}
                icon={<Icon size={20} stroke={1.6} aria-hidden />}
                name={nameOf(session)}
                tags={session.current && <Tag>This session</Tag>}
                meta={
                  <>
                    {session.address !== null && `${session.address} · `}
                    signed in <TimeAgo at={session.startedAt} /> · last seen <TimeAgo at={session.lastSeenAt} />
                  </>
                }
              >
                {!session.current && (
                  <Button
                    variant="default"
                    aria-label={`Sign out ${nameOf(session)}`}
                    onClick={() => setEnding(session)}
                  >
                    Sign out
                  </Button>
                )}
              </AccountListItem>
            );
          })}
        </ul>
      )}
      {ending && (
        <ConfirmDialog
          opened
          onClose={() => setEnding(undefined)}
          title={ending === 'others' ? 'Sign out everywhere else?' : `Sign out ${nameOf(ending)}?`}
          confirm="Sign out"
          danger
          pending={end.isPending}
          onConfirm={() => end.mutate(ending)}
        >
          {ending === 'others' ? 'All other sessions end immediately.' : 'The session ends immediately.'} If you do not
          recognize it, change your password too.
        </ConfirmDialog>
      )}
    </AccountSection>
  );
}
