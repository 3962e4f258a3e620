import { type ReactNode, useEffect, useRef } from 'react';
import { Panel } from '#ui/Panel.tsx';
import s from './Account.module.css';

interface SectionProps {
  /** The part of the address that leads here. */
  id: string;
  title: string;
  aside?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}

/** One section of the page, at its own address. */
export function Section({ id, children, ...panel }: SectionProps) {
  const place = useRef<HTMLDivElement>(null);
  // The browser looks for the place before the page is there.
  useEffect(() => {
    if (window.location.hash === `#${id}`) place.current?.scrollIntoView();
  }, [id]);
  return (
    <div id={id} ref={place} className={s.section}>
      <Panel {...panel}>{children}</Panel>
    </div>
  );
}

/** Rows in the place of those that are on their way. */
export const Bones = ({ rows = 2 }: { rows?: number }) => (
  <div className={s.bones} aria-busy="true">
    <p className="vh" role="status">
      Loading
    </p>
    {Array.from({ length: rows }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <span key={index} />
    ))}
  </div>
);
