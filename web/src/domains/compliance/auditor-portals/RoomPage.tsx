import { Button } from '@mantine/core';
import {
  answerRoomRequest,
  getRoom,
  listRooms,
  type RoomDetails,
  revokeRoom,
} from '@sightline/contract/compliance/auditor-portals.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ask, call, keyOf } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { reasonOf } from '#lib/reason.ts';
import { may, useSession } from '#lib/session.ts';
import { Banner } from '#ui/Banner.tsx';
import { Comment } from '#ui/Comment.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Facts } from '#ui/Facts.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Link } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { toast } from '#ui/toast.ts';
import { RequestItem } from './RequestItem.tsx';
import s from './Rooms.module.css';
import { momentName, roomsPath, stateLooks } from './words.ts';

const back = { label: 'Auditor portals', href: roomsPath };

/** One room: what is in it, how it is used, and what the auditor asks for. */
export function RoomPage() {
  const { roomId } = useParams({ strict: false }) as { roomId: string };
  const { data, error, refetch } = useQuery({ ...ask(getRoom, { params: { roomId } }), meta: { quiet: true } });
  if (data) return <Loaded room={data} />;
  return (
    <>
      <PageHeader title="Auditor portal" back={back} />
      {error ? (
        <Panel>
          <Failure title="The portal could not be loaded" error={error} onRetry={() => void refetch()} />
        </Panel>
      ) : (
        <p className="dim" role="status" aria-busy>
          Loading
        </p>
      )}
    </>
  );
}

function Loaded({ room }: { room: RoomDetails }) {
  const owns = may(useSession(), 'create:evidence');
  const [tone, words] = stateLooks[room.state];
  return (
    <>
      <PageHeader
        title={room.name}
        back={back}
        after={<StatusBadge tone={tone}>{words}</StatusBadge>}
        help={{ href: docsHref('auditor-portals'), about: 'auditor portals' }}
        note={`For ${room.auditor.name}${room.redaction === 'people' ? ', personal data redacted' : ''}`}
        actions={owns && room.state === 'open' && <Revoke room={room} />}
      />
      <div className={s.page}>
        {room.mailFailed && (
          <Banner tone="error">
            The link could not be emailed to {room.auditor.email}. Sightline tries again. You can also send the copied
            link yourself.
          </Banner>
        )}
        <Panel title="Portal">
          <Facts side items={factsOf(room)} />
        </Panel>
        <Panel title="Requests" flush>
          {room.asked.length === 0 ? (
            <Empty kind="nothing-yet" title="No evidence requests">
              Requests of the auditor and your answers appear here.
            </Empty>
          ) : (
            <ul aria-label="Requests">
              {room.asked.map((request) => (
                <RequestItem key={request.id} request={request}>
                  {owns && <Answer roomId={room.id} requestId={request.id} />}
                </RequestItem>
              ))}
            </ul>
          )}
        </Panel>
        <p className="dim">
          Each view, sample and download is recorded in the tamper-evident ledger under the name of this portal. See the{' '}
          <Link className="link" href={`/audit?search=${encodeURIComponent(room.name)}`}>
            audit log
          </Link>
          .
        </p>
      </div>
    </>
  );
}

function Revoke({ room }: { room: RoomDetails }) {
  const [asked, setAsked] = useState(false);
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => call(revokeRoom, { params: { roomId: room.id } }),
    meta: { quiet: true },
    onSuccess: (now) => {
      queryClient.setQueryData(keyOf(getRoom, { params: { roomId: room.id } }), now);
      void queryClient.invalidateQueries({ queryKey: keyOf(listRooms) });
      setAsked(false);
      toast.success('Access revoked.');
    },
    onError: (error) => toast.error(reasonOf(error, 'Access was not revoked. Try again.')),
  });
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        opened={asked}
        onClose={() => setAsked(false)}
        title={`Revoke ${room.name}?`}
        confirm="Revoke"
        danger
        pending={revoke.isPending}
        onConfirm={() => revoke.mutate()}
      >
        <p>
          {room.auditor.name} loses access immediately and the link stops working. This cannot be undone. Downloaded
          evidence packages are not affected.
        </p>
      </ConfirmDialog>
    </>
  );
}

function Answer({ roomId, requestId }: { roomId: string; requestId: string }) {
  const [answer, setAnswer] = useState('');
  const queryClient = useQueryClient();
  const send = useMutation({
    mutationFn: () => call(answerRoomRequest, { params: { roomId, requestId }, body: { answer: answer.trim() } }),
    meta: { quiet: true },
    onSuccess: (now) => queryClient.setQueryData(keyOf(getRoom, { params: { roomId } }), now),
    onError: (error) => toast.error(reasonOf(error, 'The answer was not sent. Try again.')),
  });
  return (
    <form
      className={s.answering}
      onSubmit={(event) => {
        event.preventDefault();
        if (answer.trim() !== '' && !send.isPending) send.mutate();
      }}
    >
      <Comment label="Answer" description="It cannot be changed later" value={answer} onChange={setAnswer} />
      <Button type="submit" variant="default" disabled={answer.trim() === ''} loading={send.isPending}>
        Send answer
      </Button>
    </form>
  );
}

const factsOf = (room: RoomDetails) =>
  [
    [
      'Snapshots',
      room.snapshots.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link className="link" href={`/evidence/snapshots/${id}`}>
            {name}
          </Link>
        </span>
      )),
    ],
    ['Created', `${momentName(room.openedAt)}, by ${room.openedBy.name}`],
    [room.revokedAt === null ? 'Expires' : 'Revoked', momentName(room.revokedAt ?? room.closesAt)],
    ['Link', linkOf(room)],
    [
      'Views',
      room.lastViewAt === null
        ? 'No views'
        : `${room.views.toLocaleString('en')}, the last on ${momentName(room.lastViewAt)}`,
    ],
  ] as const;

function linkOf({ auditor, mailedAt }: RoomDetails): string {
  if (auditor.email === null) return 'Shown once to the creator of the portal';
  return mailedAt === null ? `Sending to ${auditor.email}` : `Emailed to ${auditor.email} on ${momentName(mailedAt)}`;
}
