import { Button } from '@mantine/core';
import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import { IconTimeline } from '@tabler/icons-react';
import { useEffect } from 'react';
import { docsHref } from '#lib/docs.ts';
import { useShowInExplore } from '#lib/show-in-explore.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Severity } from '#ui/Severity.tsx';
import { FindingStatusBadge } from '../FindingStatusBadge.tsx';
import { type FindingQuery, findingLink } from '../findingsQuery.ts';
import { locationText } from '../location-text.ts';
import { DecisionNotice } from '../triage/DecisionNotice.tsx';
import { TriageActions } from '../triage/TriageActions.tsx';
import { useMarkAsRead } from '../useMarkAsRead.ts';
import { AffectedBranches } from './AffectedBranches.tsx';
import { CodeLocation } from './CodeLocation.tsx';
import s from './Finding.module.css';
import { FindingActivity } from './FindingActivity.tsx';
import { FindingDescription } from './FindingDescription.tsx';
import { FindingFacts } from './FindingFacts.tsx';
import { FindingNavigation } from './FindingNavigation.tsx';
import { ScannerDetails } from './ScannerDetails.tsx';

export function Finding({ finding, list }: { finding: FindingDetail; list: FindingQuery }) {
  const { id, title, severity, repository, coordinate } = finding;
  const showInExplore = useShowInExplore(useNavigate());
  useReadOnce(finding);
  return (
    <>
      <FindingNavigation id={id} list={list} repository={repository} />
      <PageHeader
        title={title}
        help={{ href: docsHref('vulnerabilities', 'triage'), about: 'deciding' }}
        note={
          <>
            <span className={s.severity}>
              <Severity level={severity} />
            </span>
            <span>{repository.fullName}</span>
            {coordinate && <code className={s.place}>{locationText(coordinate)}</code>}
            <FindingStatusBadge finding={finding} />
          </>
        }
        actions={
          <>
            <CopyButton value={findingLink(id)} label="Copy link" framed />
            <Button
              variant="default"
              leftSection={<IconTimeline size={15} aria-hidden />}
              loading={showInExplore.isPending}
              onClick={() => showInExplore.mutate({ of: 'finding', id })}
            >
              Show in Explore
            </Button>
            <TriageActions finding={finding} />
          </>
        }
      />
      <DecisionNotice finding={finding} />
      <div className={s.grid}>
        <div className={s.main}>
          <FindingDescription finding={finding} />
          <CodeLocation finding={finding} />
          <ScannerDetails finding={finding} />
          <AffectedBranches finding={finding} />
          <FindingActivity finding={finding} />
        </div>
        <Panel flush title="Details">
          <FindingFacts finding={finding} />
        </Panel>
      </div>
    </>
  );
}

/** Marks the finding as read when it is opened. If the user marks it as unread, it stays unread. */
function useReadOnce({ id, unread }: FindingDetail): void {
  const { mutate } = useMarkAsRead();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the state at opening matters
  useEffect(() => {
    if (unread) mutate({ id, read: true });
  }, [id]);
}
