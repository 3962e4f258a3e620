import { IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import s from './ExternalLink.module.css';

/** A link that leaves the app. An address that is none of the web, as a scanner may send, stays plain words. */
export const ExternalLink = ({ href, children }: { href: string; children: ReactNode }) =>
  isWeb(href) ? (
    <a className={s.link} href={href} target="_blank" rel="noreferrer">
      {children}
      <IconExternalLink size={13} aria-hidden />
      <span className="vh">, opens a new tab</span>
    </a>
  ) : (
    children
  );

/** Whether it leads to a page of the web, and not to a script or a file. */
export const isWeb = (href: string): boolean => /^https?:\/\//i.test(href);
