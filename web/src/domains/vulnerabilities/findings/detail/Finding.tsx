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
import { placeOf } from '../location-text.ts';
import { Standing } from '../triage/Standing.tsx';
import { TriageActions } from '../triage/TriageActions.tsx';
import { useReadMark } from '../useReadMark.ts';
import { CodeLocation } from './CodeLocation.tsx';
import { Description } from './Description.tsx';
import { Evidence } from './Evidence.tsx';
import s from './Finding.module.css';
import { FindingFacts } from './FindingFacts.tsx';
import { History } from './History.tsx';
import { Neighbors } from './Neighbors.tsx';
import { Sources } from './Sources.tsx';

export function Finding({ finding, list }: { finding: FindingDetail; list: FindingQuery }) {
  const { id, title, severity, repository, coordinate } = finding;
  const showInExplore = useShowInExplore(useNavigate());
  useReadOnce(finding);
  return (
    <>
      <Neighbors id={id} list={list} repository={repository} />
      <PageHeader
        title={title}
        help={{ href: docsHref('vulnerabilities', 'decide'), about: 'deciding' }}
        note={
          <>
            <span className={s.severity}>
              <Severity level={severity} />
            </span>
            <span>{repository.fullName}</span>
            {coordinate && <code className={s.place}>{placeOf(coordinate)}</code>}
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
      <Standing finding={finding} />
      <div className={s.grid}>
        <div className={s.main}>
          <Description finding={finding} />
          <CodeLocation finding={finding} />
          <Evidence finding={finding} />
          <Sources finding={finding} />
          <History finding={finding} />
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
  const { mutate } = useReadMark();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the state at opening matters
  useEffect(() => {
    if (unread) mutate({ id, read: true });
  }, [id]);
}
