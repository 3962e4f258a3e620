import { useEffect } from 'react';
import { signOut } from '#lib/sign-in.ts';
import { legal } from '#lib/site.ts';
import { Focus } from '#ui/Focus.tsx';

/** Signs out on load. */
export function LogoutPage() {
  useEffect(() => void signOut(), []);
  return <Focus legal={legal}>{null}</Focus>;
}
