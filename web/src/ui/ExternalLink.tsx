import { IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import s from './ExternalLink.module.css';

/** A link to another site. A non-web URL, as a scanner may send, is rendered as text. */
export const ExternalLink = ({ href, children }: { href: string; children: ReactNode }) =>
  isWebUrl(href) ? (
    <a className={s.link} href={href} target="_blank" rel="noreferrer">
      {children}
      <IconExternalLink size={13} aria-hidden />
      <span className="vh">, opens a new tab</span>
    </a>
  ) : (
    children
  );

/** Whether it is a web page, not a script or a file. */
export const isWebUrl = (href: string): boolean => /^https?:\/\//i.test(href);
