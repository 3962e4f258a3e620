import type { ReactNode } from 'react';

/** A link to the documentation, in a new tab, so that the current page remains open. */
export const DocsLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a className="link under" href={href} target="_blank" rel="noreferrer">
    {children}
    <span className="vh">, opens in a new tab</span>
  </a>
);
