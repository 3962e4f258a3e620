import { type Change, getChange } from '@sightline/contract/compliance/changes.ts';
import { IconArrowBarToDown, IconGitMerge } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { z } from 'zod';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { useUrlQuery } from '#lib/url-query.ts';
import { ExternalLink } from '#ui/ExternalLink.tsx';
import { Failure } from '#ui/Failure.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { providerName } from '#ui/providerName.ts';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { ApprovalPanel } from './ApprovalPanel.tsx';
import { ChainOfCustody } from './ChainOfCustody.tsx';
import { ChangeRecordVersions } from './ChangeRecordVersions.tsx';
import s from './Changes.module.css';
import { changeTitle } from './changeColumns.tsx';
import { approvalBadges, mergeMethodLabels } from './changeLabels.ts';
import { SessionsOfChange } from './SessionsOfChange.tsx';
import { SourceLevelPanel } from './SourceLevelPanel.tsx';

const back = { label: 'Changes', href: '/changes' };
const versionQuery = z.object({ version: z.coerce.number().int().min(1).max(1_000_000).optional() });

/** Shows one change from authors and pushers to reviews, checks and merge, and names the evidence that is missing. */
export function ChangePage() {
  const { changeId: id } = useParams({ strict: false });
  const [query] = useUrlQuery(versionQuery);
  if (id === undefined) throw new Error('The address has no change ID');
  const changeQuery = useQuery({
    ...endpointQuery(getChange, { params: { id }, query }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const change = changeQuery.data;
  if (!change) {
    return (
      <>
        <PageHeader title="Change" back={back} />
        <Panel>
          {changeQuery.error ? (
            <Failure
              title="The change could not be loaded"
              error={changeQuery.error}
              onRetry={() => void changeQuery.refetch()}
            />
          ) : (
            <p className="dim" role="status" aria-busy>
              Loading
            </p>
          )}
        </Panel>
      </>
    );
  }
  const Icon = change.number === null ? IconArrowBarToDown : IconGitMerge;
  const [tone, label] = approvalBadges[change.approval];
  return (
    <>
      <PageHeader
        title={changeTitle(change)}
        back={back}
        help={{ href: docsHref('evidence', 'changes'), about: 'changes' }}
        before={<Icon size={20} stroke={1.6} aria-hidden />}
        after={<StatusBadge tone={tone}>{label}</StatusBadge>}
        note={<ChangeLocation change={change} />}
      />
      <div className={s.columns}>
        <Panel flush title="Chain of custody">
          <ChainOfCustody change={change} />
        </Panel>
        <div className={s.aside}>
          <ApprovalPanel change={change} />
          <SessionsOfChange changeId={change.id} />
          <SourceLevelPanel change={change} />
          <ChangeRecordVersions change={change} />
        </div>
      </div>
    </>
  );
}

const ChangeLocation = ({ change: { repository, number, branch, mergeMethod, mergedAt, url } }: { change: Change }) => (
  <span>
    {repository.fullName}
    {number !== null && ` #${number}`} into {branch}, {mergeMethodLabels[mergeMethod].toLowerCase()}{' '}
    <TimeAgo at={mergedAt} />
    {url !== null && (
      <>
        {' · '}
        <ExternalLink href={url}>Open in {providerName(repository.provider)}</ExternalLink>
      </>
    )}
  </span>
);
