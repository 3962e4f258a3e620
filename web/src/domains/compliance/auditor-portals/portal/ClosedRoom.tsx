import { IconDoorOff } from '@tabler/icons-react';
import { Notice } from '#ui/Notice.tsx';
import { RoomFocus } from './RoomFocus.tsx';

/** The same for a room that is closed, was revoked, or never was. */
export const ClosedRoom = () => (
  <RoomFocus>
    <Notice title="This portal is not available" icon={<IconDoorOff size={19} stroke={1.6} />}>
      The portal expired, access was revoked, or the link is incomplete. Ask the sender for a new link. Downloaded
      evidence packages can be verified without the portal.
    </Notice>
  </RoomFocus>
);
