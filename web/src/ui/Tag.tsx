import type { ReactNode } from 'react';
import s from './Tag.module.css';

/** A quiet outlined word: 'Public', 'Org', 'AI declared'. */
export const Tag = ({ children }: { children: ReactNode }) => <span className={s.tag}>{children}</span>;
