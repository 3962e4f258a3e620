import type { Flag } from '@sightline/contract/core/flags.ts';
import { Outlet } from '@tanstack/react-router';
import { useFlag, useFlagsKnown } from '#lib/flags.ts';
import { NotFoundNotice } from './NotFoundPage.tsx';

/** Pages that do not exist while a flag is off. Renders nothing until the flags are known. */
export function BehindFlag({ flag }: { flag: Flag }) {
  const on = useFlag(flag);
  const known = useFlagsKnown();
  return on ? <Outlet /> : known ? <NotFoundNotice /> : null;
}
