import type { ReactNode } from 'react';
import { legal } from '#lib/site.ts';
import { Focus } from '#ui/Focus.tsx';

/** A page of a portal without the portal. Search engines are asked to leave it alone. */
export const PortalFocus = ({ children }: { children: ReactNode }) => (
  <>
    <meta name="robots" content="noindex, nofollow" />
    <Focus legal={legal}>{children}</Focus>
  </>
);
