import type { Change, ChangePartName, ChangePerson, NamedTicketView } from '@sightline/contract/compliance/changes.ts';
import {
  IconChecks,
  IconGitCommit,
  IconGitMerge,
  IconMessageCheck,
  IconRadar,
  IconShieldLock,
  IconSparkles,
  IconTicket,
  IconUpload,
  type TablerIcon,
} from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { ExternalLink } from '#ui/ExternalLink.tsx';
import { hostActivityLabels } from '#ui/hostActivityLabels.ts';
import { linkedTicketsText } from '#ui/linkedTicketsText.ts';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { AgentAttribution } from './AgentAttribution.tsx';
import { BranchProtectionFacts } from './BranchProtectionFacts.tsx';
import { ChangeChecks } from './ChangeChecks.tsx';
import { ChangeReviews } from './ChangeReviews.tsx';
import { ChangeScans } from './ChangeScans.tsx';
import s from './Changes.module.css';
import { ChangePersonName, changePersonName } from './changeColumns.tsx';
import { changePartLabels, missingReasonTexts } from './changeLabels.ts';

/** Shows every step from the commits to the merge. A missing part appears as a gap with its reason. */
export function ChainOfCustody({ change }: { change: Change }) {
  const { parts } = change;
  return (
    <ol className={s.chain}>
      <Step Icon={IconGitCommit} title="Authored" change={change} needs={['authors']}>
        <People people={parts.authors.value} none="No author recorded." />
        {change.commits.length > 0 && (
          <ul className={s.commits}>
            {change.commits.map(({ sha, message }) => (
              <li key={sha}>
                <code>{sha.slice(0, 7)}</code> <span className="truncate">{message?.split('\n')[0] ?? ''}</span>
              </li>
            ))}
          </ul>
        )}
      </Step>
      <Step Icon={IconSparkles} title="Agents" change={change} needs={['ai', 'sessionOwners']}>
        <AgentAttribution change={change} />
      </Step>
      {change.number !== null && (
        <>
          <Step
            Icon={IconUpload}
            title="Last push"
            change={change}
            needs={['lastPusher', 'earlierPushers', 'unattestedCommits', 'lastPushAt', 'headSha']}
          >
            <p>
              {parts.lastPusher.value ? <ChangePersonName person={parts.lastPusher.value} /> : 'Unknown person'}
              {parts.lastPushAt.value && (
                <>
                  {' '}
                  <TimeAgo at={parts.lastPushAt.value} />
                </>
              )}
              {change.headSha && (
                <>
                  {', at '}
                  <code>{change.headSha.slice(0, 7)}</code>
                </>
              )}
            </p>
            {parts.earlierPushers.value !== null && parts.earlierPushers.value.length > 0 && (
              <p>Pushed before: {parts.earlierPushers.value.map(changePersonName).join(', ')}</p>
            )}
            {(parts.unattestedCommits.value ?? 0) > 0 && (
              <p>Unsigned commits that a program pushed: {parts.unattestedCommits.value}</p>
            )}
          </Step>
          <Step Icon={IconMessageCheck} title="Reviewed" change={change} needs={['reviews']}>
            <ChangeReviews reviews={parts.reviews.value ?? []} />
          </Step>
          <Step Icon={IconChecks} title="Checked" change={change} needs={['checks', 'requiredChecks']}>
            <ChangeChecks checks={parts.checks.value ?? []} required={parts.requiredChecks.value ?? []} />
          </Step>
        </>
      )}
      {change.scans && (
        <Step Icon={IconRadar} title="Scanned" change={change} needs={[]}>
          <ChangeScans scans={change.scans} />
        </Step>
      )}
      <Step Icon={IconShieldLock} title="Branch protection at that time" change={change} needs={[]}>
        <BranchProtectionFacts protection={change.protection} />
      </Step>
      {change.number !== null && (
        <Step Icon={IconTicket} title="Linked issues" change={change} needs={['tickets', 'linkedIssues']}>
          <p className={parts.tickets.value?.length || parts.linkedIssues.value ? undefined : 'dim'}>
            {linkedTicketsText(parts.tickets.value ?? [], parts.linkedIssues.value ?? 0)}
          </p>
          <NamedTickets tickets={parts.namedTickets.value ?? []} />
        </Step>
      )}
      <Step
        Icon={IconGitMerge}
        title={change.number === null ? 'Pushed' : 'Merged'}
        change={change}
        needs={
          change.number === null ? ['lastPusher'] : ['mergedBy', 'mergeRequestedBy', 'unreviewedFiles', 'hostActivity']
        }
      >
        <Merge change={change} />
      </Step>
    </ol>
  );
}

interface StepProps {
  Icon: TablerIcon;
  title: string;
  change: Change;
  /** The record parts of this step. The step reports those that are missing. */
  needs: readonly ChangePartName[];
  children: ReactNode;
}

function Step({ Icon, title, change, needs, children }: StepProps) {
  const missing = needs.filter((name) => change.parts[name].state !== 'complete');
  const isGap =
    needs.length > 0 &&
    missing.length === needs.length &&
    needs.every((name) => change.parts[name].state === 'missing');
  return (
    <li data-gap={isGap || undefined}>
      <span className={s.mark}>
        <Icon size={16} stroke={1.7} aria-hidden />
      </span>
      <div className={s.step}>
        <h3>{title}</h3>
        {!isGap && children}
        {missing.map((name) => (
          <p key={name} className={s.gap}>
            Missing evidence: {changePartLabels[name]}{' '}
            {change.parts[name].state === 'partial' ? 'partially recorded.' : 'not recorded.'}{' '}
            {missingReasonTexts[change.parts[name].reason ?? 'not_requested']}
          </p>
        ))}
      </div>
    </li>
  );
}

const People = ({ people, none }: { people: readonly ChangePerson[] | null; none: string }) =>
  people === null || people.length === 0 ? (
    <p className="dim">{none}</p>
  ) : (
    <p>
      {people.map((person, index) => (
        <Fragment key={person.id ?? `${person.name} ${index}`}>
          {index > 0 && ', '}
          <ChangePersonName person={person} />
        </Fragment>
      ))}
    </p>
  );

function Merge({ change: { parts, mergeSha, mergedAt, number: pull } }: { change: Change }) {
  const by = pull === null ? parts.lastPusher.value : parts.mergedBy.value;
  return (
    <p>
      {by ? <ChangePersonName person={by} /> : 'Unknown person'} <TimeAgo at={mergedAt} />
      {mergeSha && (
        <>
          {', as '}
          <code>{mergeSha.slice(0, 7)}</code>
        </>
      )}
      {parts.mergeRequestedBy.value && `. Requested by ${changePersonName(parts.mergeRequestedBy.value)}`}
      {(parts.unreviewedFiles.value ?? 0) > 0 &&
        `. Files that only the merged commit changes: ${parts.unreviewedFiles.value}`}
      {parts.hostActivity.value && `. Activity on the code host: ${hostActivityLabels[parts.hostActivity.value]}`}
    </p>
  );
}

/** The tickets that the pull request names, as they were at the merge. */
const NamedTickets = ({ tickets }: { tickets: readonly NamedTicketView[] }) =>
  tickets.length === 0 ? null : (
    <ul>
      {tickets.map(({ key, state, type, status, assignee, now }) => (
        <li key={key}>
          {now?.state === 'present' ? <ExternalLink href={now.url}>{key}</ExternalLink> : key}
          {[
            '',
            ...(state === 'resolved' ? [type, status, assignee && `assigned to ${changePersonName(assignee)}`] : []),
            state === 'not_found' && 'not found',
            state === 'created_later' && 'created after the merge',
            state === 'unreachable' && 'the issue tracker did not respond',
            now?.state === 'missing' && 'deleted or hidden since',
            now && now.key !== key && `now ${now.key}`,
          ]
            .filter((word) => word !== null && word !== false)
            .join(', ')}
        </li>
      ))}
    </ul>
  );
