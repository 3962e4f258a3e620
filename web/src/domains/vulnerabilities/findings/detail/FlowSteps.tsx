import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import { placeOf } from '../location-text.ts';
import s from './Code.module.css';

interface FlowStepsProps {
  flow: FindingDetail['flow'];
  /** What is shown of the code; undefined: nothing. */
  shown: { filePath: string; from: number; lines: readonly string[] } | undefined;
}

/** The way of the data from its source to here, where it leaves the lines shown above. */
export function FlowSteps({ flow, shown }: FlowStepsProps) {
  const isShown = ({ filePath, line }: FindingDetail['flow'][number]) =>
    shown !== undefined &&
    filePath === shown.filePath &&
    line !== null &&
    line >= shown.from &&
    line < shown.from + shown.lines.length;
  if (flow.every(isShown)) return null;
  return <Steps flow={flow} label="Data flow" />;
}

/** The steps of one way of the data, numbered. */
export const Steps = ({ flow, label }: Pick<FlowStepsProps, 'flow'> & { label: string }) => (
  <ol className={s.flow} aria-label={label}>
    {flow.map((step, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place; the way may come by one place twice
      <li key={index}>
        <span className={s.mark} aria-hidden>
          {index + 1}
        </span>
        <code className={s.where}>{placeOf(step)}</code>
        {step.message !== '' && <span>{step.message}</span>}
      </li>
    ))}
  </ol>
);
