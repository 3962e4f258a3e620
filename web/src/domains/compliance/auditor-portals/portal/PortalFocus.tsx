import type { ReactNode } from 'react';
import { legal } from '#lib/site.ts';
import { Focus } from '#ui/Focus.tsx';

/** Shows a page outside the frame of a portal. Excludes it from search engines. */
export const PortalFocus = ({ children }: { children: ReactNode }) => (
  <>
    <meta name="robots" content="noindex, nofollow" />
    <Focus legal={legal}>{children}</Focus>
  </>
);
