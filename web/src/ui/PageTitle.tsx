import { useEffect, useLayoutEffect, useRef } from 'react';
import { announce } from './announce.ts';

interface PageTitleProps {
  title: string;
  /** In the document's name only: what tells it from another page of the same title. */
  of?: string;
  className?: string | undefined;
}

/** The page's one h1. Names the document, and after a move to another path takes the focus and is read out. */
export function PageTitle({ title, of, className }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const here = heading.current;
    const nobodyElse = document.activeElement === document.body;
    if (tookFocusAway && nobodyElse && lastPath === window.location.pathname) here?.focus({ preventScroll: true });
    tookFocusAway = false;
    return () => {
      tookFocusAway = here !== null && here === document.activeElement;
    };
  }, []);
  useEffect(() => {
    const { pathname } = window.location;
    if (lastPath !== undefined && lastPath !== pathname) {
      // Whoever opened a dialog before the page was there types in it.
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

// The first page of a visit keeps the browser's own focus; a new title on the same path (data arrived) must not steal it.
let lastPath: string | undefined;
// A page that is drawn anew once its data arrived has a heading of its own, and one that waits for a part of itself is hidden for
// a moment: the focus comes back.
let tookFocusAway = false;
