import type { DocPage } from 'virtual:user-docs';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Goes to the heading that the address names, also when its link is followed once more; the focus goes along. */
export function useAnchor({ name }: DocPage): void {
  const location = useLocation();
  useEffect(() => {
    const heading = location.pathname === `/docs/${name}` && document.getElementById(location.hash);
    if (!heading) return;
    heading.focus({ preventScroll: true });
    heading.scrollIntoView();
  }, [location, name]);
}
