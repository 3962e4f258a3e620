import { countText, differenceText } from './differences.ts';
import s from './GroupCharts.module.css';
import type { ChartGroup } from './groups.ts';

interface GroupCountProps extends Pick<ChartGroup, 'count' | 'previous'> {
  isEstimate: boolean;
}

/** The count of a group and its difference from the previous period, as text. */
export const GroupCount = ({ count, previous, isEstimate }: GroupCountProps) => (
  <span className={s.count}>
    <b>{countText(count, isEstimate)}</b>
    {previous && (
      <span className={s.difference}>
        {differenceText(count, previous.count)}
        <span className="vh"> from {countText(previous.count, isEstimate)} in the previous period</span>
      </span>
    )}
  </span>
);
