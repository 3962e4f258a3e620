import { Button } from '@mantine/core';
import {
  type Change,
  getChangeProvenance,
  getChangeSourceLevel,
  getChangeVsa,
  type SourceLevel,
} from '@sightline/contract/compliance/changes.ts';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { saveFile } from '#lib/download.ts';
import { DocsLink } from '#ui/DocsLink.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge, type Tone } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Changes.module.css';

/** Shows the SLSA source level of the change with each requirement, and downloads its signed statements. */
export function SourceLevelPanel({ change: { id } }: { change: Change }) {
  const levelQuery = useQuery({ ...endpointQuery(getChangeSourceLevel, { params: { id } }), meta: { quiet: true } });
  const found = levelQuery.data;
  const badge = found && badgeOf(found);
  return (
    <Panel title="SLSA source level" aside={badge && <StatusBadge tone={badge[0]}>{badge[1]}</StatusBadge>}>
      {found ? (
        <div className={s.source}>
          <Verdict found={found} />
          <Requirements found={found} />
          <Continuity found={found} />
          {found.revision === null ? (
            <p className={s.gap}>Missing evidence: the merged commit is unknown, so there is no statement.</p>
          ) : (
            <Statements id={id} />
          )}
        </div>
      ) : levelQuery.error ? (
        <Failure
          title="The SLSA source level could not be loaded"
          error={levelQuery.error}
          onRetry={() => void levelQuery.refetch()}
        />
      ) : (
        <p className="dim" role="status" aria-busy>
          Loading
        </p>
      )}
    </Panel>
  );
}

function badgeOf({ result, level }: SourceLevel): readonly [Tone, string] {
  if (result === 'FAILED') return ['red', 'Failed'];
  return [level >= 3 ? 'green' : level === 0 ? 'gray' : 'blue', `Level ${level}`];
}

function Verdict({ found: { result, violations, verifiedLevels } }: { found: SourceLevel }) {
  if (result === 'FAILED') {
    return (
      <div>
        <p>The change broke a rule that the branch protection required at its merge:</p>
        <ul className={s.reasons}>
          {violations.map(({ code, text }) => (
            <li key={code}>{text}</li>
          ))}
        </ul>
      </div>
    );
  }
  return verifiedLevels.includes('SLSA_SOURCE_TWO_PARTY_REVIEWED') ? <p>Reviewed by two parties.</p> : null;
}

/** The requirements that are not met, with their reasons; the others are folded. */
function Requirements({ found: { requirements } }: { found: SourceLevel }) {
  const open = requirements.filter(({ state }) => state !== 'met');
  const met = requirements.filter(({ state }) => state === 'met');
  return (
    <>
      {open.length > 0 && (
        <ul className={s.requirements} aria-label="Requirements not met">
          {open.map(({ id, level, title, state, reasons }) => (
            <li key={id}>
              <span>
                {title} <span className={s.note}>Level {level}</span>
              </span>
              <span className={state === 'unknown' ? s.gap : s.note}>
                {state === 'unknown' ? 'Missing evidence: ' : 'Not met: '}
                {reasons.map(({ text }) => text).join(' ')}
              </span>
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>
          {met.length} of {requirements.length} requirements met
        </summary>
        <ul className={s.requirements}>
          {met.map(({ id, level, title, fact }) => (
            <li key={id}>
              <span>
                {title} <span className={s.note}>Level {level}</span>
              </span>
              <span className={s.note}>{fact}</span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

const controlTexts: Record<SourceLevel['controls'][number]['control'], string> = {
  history: 'History protected',
  tags: 'Tags protected',
  technical: 'Reviews or checks required without bypass',
  review: 'Reviews required without bypass',
};

/** Since when each control was continuously in force. */
function Continuity({ found: { controls } }: { found: SourceLevel }) {
  const inForce = controls.flatMap(({ control, since }) => (since ? [{ control, since }] : []));
  if (inForce.length === 0) return <p className={s.note}>No control was continuously in force.</p>;
  return (
    <ul className={s.reasons}>
      {inForce.map(({ control, since: { at, isBounded } }) => (
        <li key={control} className={s.note}>
          {controlTexts[control]} since {isBounded && 'at least '}
          <TimeAgo at={at} />
        </li>
      ))}
    </ul>
  );
}

function Statements({ id }: { id: string }) {
  const input = { params: { id } };
  return (
    <div className={s.statements}>
      <StatementButton load={() => call(getChangeVsa, input)} name={`${id}.vsa.intoto.json`}>
        Download verification summary
      </StatementButton>
      <StatementButton load={() => call(getChangeProvenance, input)} name={`${id}.provenance.intoto.json`}>
        Download source provenance
      </StatementButton>
      <DocsLink href={docsHref('evidence', 'slsa-statements')}>Verify a statement</DocsLink>
    </div>
  );
}

interface StatementButtonProps {
  /** Requests the signed envelope. */
  load: () => Promise<object>;
  name: string;
  children: string;
}

function StatementButton({ load, name, children }: StatementButtonProps) {
  const saving = useMutation({
    mutationFn: load,
    onSuccess: (envelope) => saveFile(new Blob([JSON.stringify(envelope)], { type: 'application/json' }), name),
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={15} aria-hidden />}
      loading={saving.isPending}
      onClick={() => saving.mutate()}
    >
      {children}
    </Button>
  );
}
