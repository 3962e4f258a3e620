import type { EnteredRoom } from '@sightline/contract/compliance/auditor-portals.ts';
import { Outlet } from '@tanstack/react-router';
import { Announcer } from '#ui/Announcer.tsx';
import { Banner } from '#ui/Banner.tsx';
import { Link } from '#ui/Link.tsx';
import { Mark } from '#ui/Logo.tsx';
import type { Vouched } from '#ui/ledger-status.ts';
import { Paper } from '#ui/Paper.tsx';
import { SkipLink } from '#ui/SkipLink.tsx';
import { ClosedRoom } from './ClosedRoom.tsx';
import { Closing } from './Closing.tsx';
import s from './Room.module.css';
import { RoomFocus } from './RoomFocus.tsx';
import { hrefIn, useDoor, useRoom, useRoomId } from './useRoom.ts';
import { Watermark } from './Watermark.tsx';

/** The frame of every page of a room: whose it is, until when, and for whom. Nothing in it changes anything but requests. */
export function RoomFrame() {
  const { state, closesAt } = useDoor();
  if (state === 'shut') return <ClosedRoom />;
  if (state === 'open' && closesAt !== undefined) return <Open closesAt={closesAt} />;
  return (
    <RoomFocus>
      {state === 'asking' ? (
        <p className="dim" role="status" aria-busy>
          Loading
        </p>
      ) : (
        <Banner tone="error">The server could not be reached. Sightline tries again every few seconds.</Banner>
      )}
    </RoomFocus>
  );
}

/** As of the newest snapshot of the room: what came since is not the room's to tell. */
const vouchedOf = ({ vouched: { size, signedAt, anchors } }: EnteredRoom): Vouched => ({
  checkpoint: { size, signedAt, note: '' },
  anchors,
  halted: null,
});

function Open({ closesAt }: { closesAt: string }) {
  const roomId = useRoomId();
  const room = useRoom();
  return (
    <div className={s.frame}>
      <meta name="robots" content="noindex, nofollow" />
      <SkipLink />
      <header className={s.head}>
        <Link className={s.home} href={hrefIn(roomId)}>
          <Mark size={20} />
          <span className={s.whose}>
            <b className="truncate">{room?.organization ?? 'Auditor portal'}</b>
            {room && <span className="truncate">{room.name}</span>}
          </span>
        </Link>
        <Closing at={closesAt} />
      </header>
      <main id="main" tabIndex={-1} className={s.main}>
        <Paper organization={room?.organization} vouched={room ? vouchedOf(room) : 'unknown'}>
          <Outlet />
        </Paper>
      </main>
      {room && <Watermark words={`${room.auditor} · ${room.name}`} />}
      <Announcer />
    </div>
  );
}
