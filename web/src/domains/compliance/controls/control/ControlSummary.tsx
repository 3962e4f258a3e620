import type { ControlState, SettingWeakening } from '@sightline/contract/compliance/control-runs.ts';
import type { Completeness, Verdict } from '@sightline/contract/compliance/controls.ts';
import { isComplete } from '@sightline/evidence/controls/completeness.ts';
import { isEmptiedBySettings } from '@sightline/evidence/controls/exclusions.ts';
import { type SourceId, sources } from '@sightline/evidence/controls/sources.ts';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { Banner } from '#ui/Banner.tsx';
import { completenessText } from '#ui/completenessText.ts';
import { Exclusions } from '#ui/Exclusions.tsx';
import { Panel } from '#ui/Panel.tsx';
import { SegmentBar } from '#ui/SegmentBar.tsx';
import { toneFill, verdictBadges, verdicts } from '#ui/verdicts.ts';
import { Weakenings } from '#ui/Weakenings.tsx';
import s from './Control.module.css';
import type { ControlQuery } from './controlQuery.ts';

interface ControlSummaryProps {
  control: ControlState & { weakenings: readonly SettingWeakening[] };
  verdicts: readonly Verdict[];
  setQuery: (patch: Partial<ControlQuery>) => void;
}

/** Counts items by verdict, each a filter, and shows whether the population is complete and which items it excludes. */
export function ControlSummary({ control, verdicts: selected, setQuery }: ControlSummaryProps) {
  const { result, task } = control;
  return (
    <>
      {task?.state === 'failed' && <Banner tone="error">The last evaluation failed: {task.failure}</Banner>}
      {result && isEmptiedBySettings(result.counts, result.exclusions) && (
        <Banner tone="warning">
          The parameters of policies exclude every item of this period, so there is no evidence that this control
          passes.
        </Banner>
      )}
      {!result ? (
        <Panel>
          <p className="dim">
            {control.isEvaluated
              ? 'This control was not evaluated for this period. Controls are evaluated every night and on request.'
              : 'No data source of this control is connected, so it is not evaluated.'}
          </p>
        </Panel>
      ) : (
        <Panel>
          <SegmentBar
            stacked
            label="Filter by verdict"
            selected={selected}
            onChange={(keys) =>
              setQuery({ verdict: verdicts.filter((verdict) => keys.includes(verdict)), reason: '', tab: 'rows' })
            }
            segments={verdicts.map((verdict) => ({
              key: verdict,
              label: verdictBadges[verdict][1],
              count: result.counts[verdict],
              fill: toneFill(verdictBadges[verdict][0]),
            }))}
          />
          <ul className={s.completeness} aria-label="Completeness of the population">
            {result.completeness.map((one) => {
              const isWhole = one.isIndependent && isComplete(one);
              return (
                <li key={one.source} data-whole={isWhole || undefined}>
                  <CompletenessIcon completeness={one} />
                  <span>
                    {sources[one.source as SourceId]?.title ?? one.source}: {completenessText(one)}
                  </span>
                </li>
              );
            })}
          </ul>
          <Exclusions className={s.exclusions} exclusions={result.exclusions} parameters={control.parameters} />
          <Weakenings
            className={s.exclusions}
            weakenings={control.weakenings}
            parameters={control.parameters}
            peopleText={peopleText}
          />
        </Panel>
      )}
    </>
  );
}

function CompletenessIcon({ completeness: one }: { completeness: Completeness }) {
  if (!isComplete(one)) return <IconAlertTriangle size={15} aria-hidden />;
  return one.isIndependent ? <IconCheck size={15} aria-hidden /> : <IconInfoCircle size={15} aria-hidden />;
}

function peopleText({ author, approver, selfApproved }: SettingWeakening): string {
  const by = author?.name ?? 'a former member';
  if (approver) return `Requested by ${by}, approved by ${approver.name ?? 'a former member'}.`;
  return selfApproved
    ? `By ${by}, approved by its author only, not independently approved.`
    : `By ${by}, not independently approved.`;
}
