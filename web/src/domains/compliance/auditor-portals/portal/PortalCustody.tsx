import type { ReactNode } from 'react';
import { hostActivityLabels } from '#ui/hostActivityLabels.ts';
import { linkedTicketsText } from '#ui/linkedTicketsText.ts';
import { StatusDot, type Tone } from '#ui/StatusBadge.tsx';
import { utcTimeText } from '../portalLabels.ts';
import { type CustodyPart, type PersonNames, type PortalChange, partLabels } from './custodyTexts.ts';
import s from './Portal.module.css';

interface CustodyProps {
  change: PortalChange;
  names: PersonNames;
}

/** Shows every step from the commits to the scans after the merge. A missing part appears as missing evidence. */
export function PortalCustody({ change, names }: CustodyProps) {
  const isPush = change.subject.number === null || change.subject.number === undefined;
  return (
    <ol className={s.chain}>
      <Authored change={change} names={names} />
      <Agents change={change} names={names} />
      {!isPush && (
        <>
          <Pushed change={change} names={names} />
          <Reviewed change={change} names={names} />
          <Checked change={change} names={names} />
          <Issues change={change} names={names} />
        </>
      )}
      <Merged change={change} names={names} isPush={isPush} />
      <Scanned change={change} />
    </ol>
  );
}

interface StepProps {
  title: string;
  change: PortalChange;
  /** The parts of this step. The step names those that are missing. */
  needs: readonly CustodyPart[];
  children: ReactNode;
}

function Step({ title, change: { parts }, needs, children }: StepProps) {
  const missing = needs.filter((name) => parts[name].state !== 'complete');
  const isGap = missing.length > 0 && needs.every((name) => parts[name].state === 'missing');
  return (
    <li data-gap={isGap || undefined}>
      <h3>{title}</h3>
      <div className={s.step}>
        {!isGap && children}
        {missing.length > 0 && (
          <p className={s.gap}>
            Missing evidence:{' '}
            {missing
              .map((name) => `${partLabels[name]}${parts[name].state === 'partial' ? ' (incomplete)' : ''}`)
              .join(', ')}
          </p>
        )}
      </div>
    </li>
  );
}

const Authored = ({ change, names }: CustodyProps) => (
  <Step title="Authored" change={change} needs={['authors', 'unattestedCommits']}>
    <p>{(change.parts.authors.value ?? []).map(names.ofActor).join(', ') || 'No author'}</p>
    {(change.parts.unattestedCommits.value ?? 0) > 0 && (
      <p>Commits that a program pushed without a verified signature: {change.parts.unattestedCommits.value}</p>
    )}
  </Step>
);

const observedTexts = {
  yes: 'observed',
  no: 'not observed, although telemetry was connected',
  unknown: 'without connected telemetry',
} as const;

function Agents({ change, names }: CustodyProps) {
  const { ai, agents, sessionOwners } = change.parts;
  const owners = sessionOwners.value ?? [];
  return (
    <Step title="Tools and agents" change={change} needs={['ai', 'agents', 'sessionOwners']}>
      {ai.value?.length === 0 && <p className="dim">No contribution is attributed to an agent.</p>}
      {(ai.value ?? []).map(({ lines, confidence }) => (
        <p key={confidence}>
          {lines} {lines === 1 ? 'line' : 'lines'} attributed to agents ({confidence})
        </p>
      ))}
      {(agents.value ?? []).map(({ agent, isDeclared, observed, sessions }) => (
        <p key={agent}>
          {agent}: {isDeclared ? 'declared' : 'not declared'}, {observedTexts[observed]}
          {sessions > 0 && ` in ${sessions} ${sessions === 1 ? 'session' : 'sessions'}`}
        </p>
      ))}
      {owners.length > 0 && <p>Agent sessions of {owners.map(names.ofActor).join(', ')}</p>}
    </Step>
  );
}

function Pushed({ change, names }: CustodyProps) {
  const { lastPusher, lastPushAt, headSha, earlierPushers } = change.parts;
  const earlier = earlierPushers.value ?? [];
  return (
    <Step title="Pushed" change={change} needs={['lastPusher', 'lastPushAt', 'headSha', 'earlierPushers']}>
      {earlier.length > 0 && <p>Earlier pushes by {earlier.map(names.ofActor).join(', ')}</p>}
      <p>
        Last push by {lastPusher.value ? names.ofActor(lastPusher.value) : 'an unknown person'}
        {lastPushAt.value && <> on {utcTimeText(lastPushAt.value)}</>}
        {headSha.value && (
          <>
            {' '}
            to <code className={s.hash}>{headSha.value}</code>
          </>
        )}
      </p>
    </Step>
  );
}

const reviewVerdicts = {
  approved: ['green', 'approved'],
  changes_requested: ['red', 'requested changes'],
  commented: ['gray', 'commented'],
} as const satisfies Record<string, readonly [Tone, string]>;

type CustodyReview = NonNullable<PortalChange['parts']['reviews']['value']>[number];

const Reviewed = ({ change, names }: CustodyProps) => (
  <Step title="Reviewed" change={change} needs={['reviews']}>
    {change.parts.reviews.value?.length === 0 && <p className="dim">No reviews.</p>}
    <ul className={s.value}>
      {(change.parts.reviews.value ?? []).map((review) => (
        <li key={review.id}>
          <span className={s.dotted}>
            <StatusDot tone={reviewVerdicts[review.verdict][0]}>{null}</StatusDot>
            {names.ofActor(review.by)} {reviewVerdicts[review.verdict][1]} on {utcTimeText(review.submittedAt)}
          </span>
          <p className="dim">{reviewNotes(review).join(', ')}</p>
        </li>
      ))}
    </ul>
  </Step>
);

const reviewNotes = ({ isDismissed, isForHead, wasMember }: CustodyReview): string[] =>
  [
    isForHead === 'yes' && 'for the head commit',
    isForHead === 'no' && 'for an earlier commit',
    isForHead === 'unknown' && 'commit unknown',
    isDismissed === 'yes' && 'dismissed before the merge',
    isDismissed === 'unknown' && 'possibly dismissed',
    wasMember === 'yes' && 'an active member',
    wasMember === 'no' && 'not an active member at that time',
    wasMember === 'unknown' && 'membership at that time unknown',
  ].filter((note) => note !== false);

function Checked({ change }: CustodyProps) {
  const checks = change.parts.checks.value ?? [];
  const required = change.parts.requiredChecks.value ?? [];
  const absent = required.filter((name) => !checks.some((check) => check.name === name));
  return (
    <Step title="Checked" change={change} needs={['checks', 'requiredChecks']}>
      {checks.length === 0 && absent.length === 0 && <p className="dim">No checks ran.</p>}
      <ul className={s.value}>
        {absent.map((name) => (
          <li key={name}>
            <span className={s.dotted}>
              <StatusDot tone="red">{null}</StatusDot>
              {name}
            </span>{' '}
            <span className="dim">required, did not run</span>
          </li>
        ))}
        {checks.map(({ name, sha, conclusion, completedAt, isRequired }) => (
          <li key={`${name} ${sha} ${completedAt}`}>
            <span className={s.dotted}>
              <StatusDot tone={checkTone(conclusion)}>{null}</StatusDot>
              {name}
            </span>{' '}
            <span className="dim">
              {conclusion?.replaceAll('_', ' ') ?? 'not finished'}
              {isRequired && ', required'}
              {completedAt !== null && `, ${utcTimeText(completedAt)}`}
            </span>
          </li>
        ))}
      </ul>
    </Step>
  );
}

const checkTone = (conclusion: string | null): Tone =>
  conclusion === null
    ? 'yellow'
    : conclusion === 'success' || conclusion === 'neutral'
      ? 'green'
      : conclusion === 'skipped'
        ? 'gray'
        : 'red';

function Issues({ change }: CustodyProps) {
  const { tickets, linkedIssues } = change.parts;
  return (
    <Step title="Linked issues" change={change} needs={['tickets', 'linkedIssues']}>
      {(tickets.value !== null || linkedIssues.value !== null) && (
        <p>{linkedTicketsText(tickets.value ?? [], linkedIssues.value ?? 0)}</p>
      )}
    </Step>
  );
}

function Merged({ change, names, isPush }: CustodyProps & { isPush: boolean }) {
  const { hostActivity, lastPusher, mergedBy, mergeRequestedBy, unreviewedFiles } = change.parts;
  const by = isPush ? lastPusher.value : mergedBy.value;
  const mergedAt = typeof change.subject.mergedAt === 'string' ? change.subject.mergedAt : change.asOf;
  const needs = isPush ? (['lastPusher'] as const) : (['mergedBy', 'unreviewedFiles', 'hostActivity'] as const);
  return (
    <Step title={isPush ? 'Pushed without a pull request' : 'Merged'} change={change} needs={needs}>
      <p>
        By {by ? names.ofActor(by) : 'an unknown person'} on {utcTimeText(mergedAt)}
      </p>
      {mergeRequestedBy.value && <p>Requested by {names.ofActor(mergeRequestedBy.value)}</p>}
      {(unreviewedFiles.value ?? 0) > 0 && <p>Files that only the merged commit changes: {unreviewedFiles.value}</p>}
      {hostActivity.value && <p>Activity on the code host: {hostActivityLabels[hostActivity.value]}</p>}
    </Step>
  );
}

function Scanned({ change }: { change: PortalChange }) {
  const { scans } = change;
  return (
    <Step title="Scanned" change={change} needs={[]}>
      {scans === null && <p className="dim">This snapshot does not evaluate scans of this change.</p>}
      {scans?.state === 'missing' && <p className={s.gap}>Missing evidence: scans</p>}
      {scans?.value?.length === 0 && <p>No scan of this change.</p>}
      {(scans?.value ?? []).map(({ sha, finishedAt, state }) => (
        <p key={`${sha} ${finishedAt}`}>
          <span className={s.dotted}>
            <StatusDot tone={state === 'ok' ? 'green' : 'red'}>{null}</StatusDot>
            {state === 'ok' ? 'Succeeded' : 'Failed'} on {utcTimeText(finishedAt)}
          </span>{' '}
          <code className={s.hash}>{sha}</code>
        </p>
      ))}
    </Step>
  );
}
