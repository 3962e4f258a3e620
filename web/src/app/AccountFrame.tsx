import { Outlet } from '@tanstack/react-router';
import { useFlagsAwaited } from '#lib/flags.ts';
import { useSession } from '#lib/session.ts';
import { legal } from '#lib/site.ts';
import { Focus } from '#ui/Focus.tsx';
import { InFrameContext } from './Framed.ts';
import { ShellFrame } from './shell-frame.ts';

/** The frame of account pages: the shell of the current organization, or none without an organization. */
export function AccountFrame() {
  const active = useSession()?.organization;
  const isAwaited = useFlagsAwaited();
  return active === undefined ? (
    <Focus legal={legal}>
      <InFrameContext value>{isAwaited && <Outlet />}</InFrameContext>
    </Focus>
  ) : (
    <ShellFrame active={active} />
  );
}
