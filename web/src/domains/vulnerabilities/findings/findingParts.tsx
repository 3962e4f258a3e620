import type { Finding } from '@sightline/contract/vulnerabilities/findings.ts';
import { Tag } from '#ui/Tag.tsx';
import s from './Findings.module.css';

/** The last part of the path, which is the number or key in most issue trackers. */
export const ticketName = (url: string): string =>
  new URL(url).pathname.split('/').findLast((part) => part !== '') ?? new URL(url).host;

export const Labels = ({ labels }: Pick<Finding, 'labels'>) => (
  <span className={s.labels}>
    {labels.map((label) => (
      <Tag key={label}>{label}</Tag>
    ))}
  </span>
);
