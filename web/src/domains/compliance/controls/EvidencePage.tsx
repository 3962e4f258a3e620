import { Button } from '@mantine/core';
import { docsHref } from '#lib/docs.ts';
import { useImportPanel } from '#lib/imports.ts';
import { usePeriodInAddress } from '#lib/period-in-address.ts';
import { Failure } from '#ui/Failure.tsx';
import { ImportPanel } from '#ui/ImportPanel.tsx';
import { Link } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { PeriodPicker } from '#ui/PeriodPicker.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { ControlsTable } from './ControlsTable.tsx';
import { DisabledRepositories } from './DisabledRepositories.tsx';
import { EvaluateButton } from './EvaluateButton.tsx';
import s from './Evidence.module.css';
import { MissingFacts } from './MissingFacts.tsx';
import { StatusSummary } from './StatusSummary.tsx';
import { useControlsFilter } from './useControlsFilter.ts';
import { useControlsOverview } from './useControlsOverview.ts';

/** Shows which controls pass and fail in a period, and which evidence is missing. */
export function EvidencePage() {
  const [period, setPeriod] = usePeriodInAddress();
  const [filter, setFilter] = useControlsFilter();
  const imports = useImportPanel();
  const { overview, controls, isEvaluating } = useControlsOverview(period);
  const asOf = overview.data?.asOf;
  // Everything appears at once: content that loads later would shift the page.
  const shown = imports.isPending ? undefined : overview.data;
  return (
    <>
      <PageHeader
        title="Evidence"
        help={{ href: docsHref('evidence'), about: 'evidence' }}
        note="How the controls of your organization performed in this period."
        freshness={
          asOf ? (
            <>
              Evaluated <TimeAgo at={asOf.evaluatedAt} /> at ledger size {number.format(asOf.size)}
            </>
          ) : (
            overview.isPending && (
              // As high as the text.
              <span className={s.awaited} aria-hidden>
                Evaluated 10 minutes ago at ledger size 10,000
              </span>
            )
          )
        }
        actions={
          <>
            <Button component={Link} href="/evidence/frameworks" variant="default">
              Frameworks
            </Button>
            <Button component={Link} href="/remediations" variant="default">
              Remediation
            </Button>
            <PeriodPicker period={period} onChange={setPeriod} />
            <EvaluateButton period={period} isEvaluating={isEvaluating} controls={controls.data} />
          </>
        }
      />
      {overview.isError && !overview.data ? (
        <Panel>
          <Failure
            title="The evidence could not be loaded"
            error={overview.error}
            onRetry={() => void overview.refetch()}
          />
        </Panel>
      ) : (
        <div className={s.page}>
          <StatusSummary overview={shown} selected={filter.statuses} onSelect={(statuses) => setFilter({ statuses })} />
          {shown && <ImportPanel {...imports.panel} />}
          <MissingFacts missing={shown?.missing} period={period} />
          <DisabledRepositories unrecorded={shown?.unrecorded} />
          <ControlsTable
            // A new key mounts a new table, so that its rows do not animate from earlier positions.
            key={shown ? 'shown' : 'awaited'}
            controls={shown && controls.data}
            failure={controls.data ? undefined : (controls.error ?? undefined)}
            onRetry={() => void controls.refetch()}
            stale={controls.isPlaceholderData}
            period={period}
            filter={filter}
            onFilter={setFilter}
          />
        </div>
      )}
    </>
  );
}

const number = new Intl.NumberFormat('en-GB');
