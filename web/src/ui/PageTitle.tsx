import { useEffect, useLayoutEffect, useRef } from 'react';
import { announce } from './announce.ts';

interface PageTitleProps {
  title: string;
  /** In the document title only: distinguishes pages with the same title. */
  of?: string;
  className?: string | undefined;
}

/**
 * The page's only h1. Sets the document title, and takes the focus after a navigation to another path, so that it is
 * announced.
 */
export function PageTitle({ title, of, className }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const element = heading.current;
    const hasNoFocus = document.activeElement === document.body;
    if (tookFocusAway && hasNoFocus && lastPath === window.location.pathname) element?.focus({ preventScroll: true });
    tookFocusAway = false;
    return () => {
      tookFocusAway = element !== null && element === document.activeElement;
    };
  }, []);
  useEffect(() => {
    const { pathname } = window.location;
    if (lastPath !== undefined && lastPath !== pathname) {
      // A dialog that was opened before the page rendered keeps the focus.
      if (!document.activeElement?.closest('[role=dialog]')) heading.current?.focus({ preventScroll: true });
      announce(title);
    }
    lastPath = pathname;
  }, [title]);
  return (
    <>
      <title>{[title, ...(of === undefined ? [] : [of]), 'Sightline'].join(' · ')}</title>
      <h1 ref={heading} tabIndex={-1} className={className}>
        {title}
      </h1>
    </>
  );
}

// The first page of a visit keeps the browser's focus; a new title on the same path (loaded data) must not move it.
let lastPath: string | undefined;
// A page that rerenders after its data loaded has a new heading, and a suspended page is hidden briefly: the focus is
// restored.
let tookFocusAway = false;
