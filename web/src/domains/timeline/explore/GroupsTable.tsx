import { countText, differenceText } from '#ui/charts/differences.ts';
import type { ChartGroup } from '#ui/charts/groups.ts';
import s from './EventChart.module.css';

interface GroupsTableProps {
  /** The field of the groups: 'Repository'. */
  title: string;
  groups: readonly ChartGroup[];
  isEstimate: boolean;
  /** The starts of the intervals, as text, for a table over time; otherwise empty. */
  intervals: readonly string[];
}

/** The data of a chart of groups as a table: a row for each group, or for each interval. */
export const GroupsTable = ({ title, groups, isEstimate, intervals }: GroupsTableProps) => {
  const isCompared = groups.some(({ previous }) => previous);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
    <section className={s.scroll} aria-label={`Table by ${title.toLowerCase()}`} tabIndex={0}>
      <table className={s.table}>
        <caption className="vh">Events by {title.toLowerCase()}</caption>
        <thead>
          <tr>
            <th scope="col">{intervals.length > 0 ? 'From' : title}</th>
            {intervals.length > 0 ? (
              groups.map(({ key, label }) => (
                <th key={key} scope="col">
                  {label}
                </th>
              ))
            ) : (
              <>
                <th scope="col">Events</th>
                {isCompared && <th scope="col">Previous period</th>}
                {isCompared && <th scope="col">Change</th>}
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {intervals.map((interval, index) => (
            <tr key={interval}>
              <th scope="row">{interval}</th>
              {groups.map(({ key, counts, previous }) => (
                <td key={key}>
                  {countText(counts[index] ?? 0, isEstimate)}
                  {previous && ` (${countText(previous.counts[index] ?? 0, isEstimate)})`}
                </td>
              ))}
            </tr>
          ))}
          {intervals.length === 0 &&
            groups.map(({ key, label, count, previous }) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                <td>{countText(count, isEstimate)}</td>
                {previous && <td>{countText(previous.count, isEstimate)}</td>}
                {previous && <td>{differenceText(count, previous.count)}</td>}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
};
