import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import { locationText } from '../location-text.ts';
import s from './Code.module.css';

interface FlowStepsProps {
  flow: FindingDetail['flow'];
  /** The visible code; undefined for none. */
  shown: { filePath: string; from: number; lines: readonly string[] } | undefined;
}

/** Shows the data flow from its source, if it leaves the visible lines. */
export function FlowSteps({ flow, shown }: FlowStepsProps) {
  const isShown = ({ filePath, line }: FindingDetail['flow'][number]) =>
    shown !== undefined &&
    filePath === shown.filePath &&
    line !== null &&
    line >= shown.from &&
    line < shown.from + shown.lines.length;
  if (flow.every(isShown)) return null;
  return <DataFlowSteps flow={flow} label="Data flow" />;
}

/** Lists the numbered steps of one data flow. */
export const DataFlowSteps = ({ flow, label }: Pick<FlowStepsProps, 'flow'> & { label: string }) => (
  <ol className={s.flow} aria-label={label}>
    {flow.map((step, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a flow may visit one location twice, so a step has only its index
      <li key={index}>
        <span className={s.mark} aria-hidden>
          {index + 1}
        </span>
        <code className={s.where}>{locationText(step)}</code>
        {step.message !== '' && <span>{step.message}</span>}
      </li>
    ))}
  </ol>
);
