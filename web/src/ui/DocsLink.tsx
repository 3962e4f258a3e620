import type { ReactNode } from 'react';

/** Words that lead to the documentation, in a tab of its own: whoever reads it does not lose their place. */
export const DocsLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a className="link under" href={href} target="_blank" rel="noreferrer">
    {children}
    <span className="vh">, opens in a new tab</span>
  </a>
);
