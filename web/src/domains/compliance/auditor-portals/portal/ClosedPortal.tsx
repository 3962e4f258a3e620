import { IconDoorOff } from '@tabler/icons-react';
import { Notice } from '#ui/Notice.tsx';
import { PortalFocus } from './PortalFocus.tsx';

/** Shown alike for expired, revoked and unknown portals. */
export const ClosedPortal = () => (
  <PortalFocus>
    <Notice title="This portal is not available" icon={<IconDoorOff size={19} stroke={1.6} />}>
      The portal expired, access was revoked, or the link is incomplete. Ask the sender for a new link. Downloaded
      evidence packages can be verified without the portal.
    </Notice>
  </PortalFocus>
);
