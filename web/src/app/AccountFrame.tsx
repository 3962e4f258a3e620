import { Outlet } from '@tanstack/react-router';
import { useFlagsAwaited } from '#lib/flags.ts';
import { useSession } from '#lib/session.ts';
import { legal } from '#lib/site.ts';
import { Focus } from '#ui/Focus.tsx';
import { Framed } from './Framed.ts';
import { ShellFrame } from './shell-frame.ts';

/** Around what belongs to the person: the shell of the organization they are in, or none while they are in none. */
export function AccountFrame() {
  const active = useSession()?.organization;
  const isAwaited = useFlagsAwaited();
  return active === undefined ? (
    <Focus legal={legal}>
      <Framed value>{isAwaited && <Outlet />}</Framed>
    </Focus>
  ) : (
    <ShellFrame active={active} />
  );
}
