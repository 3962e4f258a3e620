import { Button } from '@mantine/core';
import { type AuditEntryDetail, getAuditEntry } from '@sightline/contract/organization/audit.ts';
import { type AuditValue, auditKeyLabel, formatAuditValue } from '@sightline/contract/organization/audit-sentence.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import s from './AuditDetails.module.css';
import type { AuditPageQuery } from './auditQuery.ts';
import { AuditValueChanges } from './Changes.tsx';
import { localAndUtcTimeText } from './dates.ts';

interface AuditDetailsProps {
  id: string;
  narrow: (patch: Partial<AuditPageQuery>) => void;
}

/** Shows all fields of an entry, fetched when it is expanded. An entry never changes. */
export function AuditDetails({ id, narrow }: AuditDetailsProps) {
  const details = useQuery({
    ...endpointQuery(getAuditEntry, { params: { auditId: id } }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
  const entry = details.data;
  return (
    <div className={s.details} aria-busy={details.isPending}>
      {details.isError && (
        <p className={s.failure}>
          The details could not be loaded.{' '}
          <Button variant="default" size="compact-sm" onClick={() => void details.refetch()}>
            Try again
          </Button>
        </p>
      )}
      {details.isPending && <p className="dim">Loading…</p>}
      {entry && <AuditValueChanges before={entry.before} after={entry.after} />}
      {entry && (
        <dl className={s.facts}>
          {factsOf(entry).map(([term, value]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {entry && (
        <div className={s.more}>
          <Button variant="default" onClick={() => narrow({ subject: `${entry.subject.kind}:${entry.subject.id}` })}>
            All entries for {entry.subject.name ?? 'this target'}
          </Button>
          {entry.actor.id !== null && (
            <Button variant="default" onClick={() => narrow({ actor: [`${entry.actor.kind}:${entry.actor.id}`] })}>
              All by {entry.actor.name}
            </Button>
          )}
          <CopyButton value={addressOf(entry.id)} label="Copy link" />
        </div>
      )}
    </div>
  );
}

const addressOf = (id: string) => `${window.location.origin}/audit?entry=${id}`;

function factsOf({ at, actor, address, browser, more, requestId }: AuditEntryDetail): [string, string][] {
  const facts: [string, string | null][] = [
    ['Time', localAndUtcTimeText(at)],
    ['Actor', [actor.name, actor.email].filter(Boolean).join(', ')],
    ['IP address', address],
    ['Browser', browser],
    ...Object.entries(more).map(([key, value]): [string, string] => [
      auditKeyLabel(key),
      formatAuditValue(value as AuditValue),
    ]),
    ['Request', requestId],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '');
}
