import { Button } from '@mantine/core';
import type { MissingDataSource } from '@sightline/contract/compliance/control-runs.ts';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Tag } from '#ui/Tag.tsx';
import s from './Evidence.module.css';

/** Lists the missing data sources, each with the action that connects it. Renders nothing if none is missing. */
export function MissingFacts({
  missing,
  period,
}: {
  missing: readonly MissingDataSource[] | undefined;
  period: string;
}) {
  const open = missing?.filter(({ source }) => source !== 'time') ?? [];
  if (open.length === 0) return null;
  return (
    <Panel flush title="Missing evidence" aside={<span className="dim">{countWords(open.length)}</span>}>
      <ul className={s.missing}>
        {open.map(({ source, title, remedy, link, rows, controls }) => (
          <li key={source}>
            <div>
              <h3>{title}</h3>
              <p className="dim">{remedy}</p>
              <p className={s.tags}>
                {controls.map(({ id }) => (
                  <Link
                    key={id}
                    className={s.tagLink}
                    href={`/evidence/controls/${id}?period=${period}&verdict=missing_evidence`}
                  >
                    <Tag>{id}</Tag>
                  </Link>
                ))}
                {rows > 0 && <span className="dim">{rows === 1 ? '1 row' : `${number.format(rows)} rows`}</span>}
              </p>
            </div>
            {link !== null && (
              <Button variant="default" component={Link} href={link} aria-label={`Connect source: ${title}`}>
                Connect source
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const countWords = (count: number) => (count === 1 ? '1 data source' : `${count} data sources`);
const number = new Intl.NumberFormat('en-GB');
