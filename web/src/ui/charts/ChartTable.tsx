import s from './Chart.module.css';
import { type ChartData, intervalText, valueText } from './chart.ts';

/** The data of a chart as a table, newest first. */
export const ChartTable = ({ label, data }: { label: string; data: ChartData }) => {
  const { series, details = [], points, unit, interval } = data;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
    <section className={s.scroll} aria-label={`Table of ${label}`} tabIndex={0}>
      <table className={s.table}>
        <caption className="vh">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{interval === 'day' ? 'Day' : 'Week'}</th>
            {[...series, ...details].map((column) => (
              <th key={column.key} scope="col">
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(({ day, values }) => (
            <tr key={day}>
              <th scope="row">{intervalText(day, interval)}</th>
              {series.map(({ key }) => (
                <td key={key}>{valueText(values[key], unit)}</td>
              ))}
              {details.map(({ key }) => (
                <td key={key}>{valueText(values[key], 'count')}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
