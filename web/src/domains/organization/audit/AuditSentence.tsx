import type { AuditEntry } from '@sightline/contract/organization/audit.ts';
import { Fragment } from 'react';
import { Link } from '#ui/Link.tsx';
import s from './AuditTable.module.css';

/** Describes the action in words. The target links to its page if it has one. */
export const AuditSentence = ({ entry }: { entry: AuditEntry }) => (
  <span className={s.sentence}>
    {entry.sentence.map(({ text, subject }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change their order
      <Fragment key={index}>
        {index > 0 && ' '}
        {subject ? <Subject entry={entry} text={text} /> : <span className="dim">{text}</span>}
      </Fragment>
    ))}
  </span>
);

function Subject({ entry: { subject }, text }: { entry: AuditEntry; text: string }) {
  const href = subject.name === null ? undefined : pageOf(subject.kind, subject.id, subject.name);
  return href === undefined ? <b>{text}</b> : <Link href={href}>{text}</Link>;
}

function pageOf(kind: string, id: string, name: string): string | undefined {
  switch (kind) {
    case 'repository':
      return `/repository/${id}`;
    case 'member':
    case 'invitation':
      return `/organization/members?${new URLSearchParams({ search: name })}`;
    case 'organization':
      return '/organization/settings';
    default:
      return undefined;
  }
}
