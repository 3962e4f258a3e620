import { IconDoorOff } from '@tabler/icons-react';
import { Notice } from '#ui/Notice.tsx';
import { RoomFocus } from './RoomFocus.tsx';

/** The same for a room that is closed, was revoked, or never was. */
export const ClosedRoom = () => (
  <RoomFocus>
    <Notice title="This room is closed" icon={<IconDoorOff size={19} stroke={1.6} />}>
      There is no open room at this address: its time is over, it was revoked, or the link is not whole. Ask whoever
      sent it to you for another one. A bundle that you took along is verified without it.
    </Notice>
  </RoomFocus>
);
