import { type ReactNode, useEffect, useRef } from 'react';
import { Panel } from '#ui/Panel.tsx';
import s from './Account.module.css';

interface SectionProps {
  /** The fragment of the address. */
  id: string;
  title: string;
  aside?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}

/** One section of the page with its own address. */
export function AccountSection({ id, children, ...panel }: SectionProps) {
  const element = useRef<HTMLDivElement>(null);
  // The browser looks for the fragment before the page is rendered.
  useEffect(() => {
    if (window.location.hash === `#${id}`) element.current?.scrollIntoView();
  }, [id]);
  return (
    <div id={id} ref={element} className={s.section}>
      <Panel {...panel}>{children}</Panel>
    </div>
  );
}

/** Skeleton rows while loading. */
export const SkeletonRows = ({ rows = 2 }: { rows?: number }) => (
  <div className={s.placeholders} aria-busy="true">
    <p className="vh" role="status">
      Loading
    </p>
    {Array.from({ length: rows }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows are identical
      <span key={index} />
    ))}
  </div>
);
