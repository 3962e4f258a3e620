import type { IntegrationCategory } from '@sightline/contract/sources/integrations.ts';
import { Link } from '#ui/Link.tsx';
import { categoryPath, categoryTitles, integrationsPath } from './categories.ts';
import type { IntegrationGroup } from './group.ts';
import s from './Integrations.module.css';

/** Lists the categories with the number of integrations in each. */
export function CategoryNav({
  groups,
  current,
}: {
  groups: readonly IntegrationGroup[];
  current: IntegrationCategory | undefined;
}) {
  const counts = groups.map(({ integrations }) => integrations?.length);
  const total = counts.reduce<number | undefined>(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
  return (
    <nav className={s.categories} aria-label="Categories">
      <Entry href={integrationsPath} label="All integrations" count={total} here={current === undefined} />
      {groups.map(({ category, integrations }) => (
        <Entry
          key={category}
          href={categoryPath(category)}
          label={categoryTitles[category]}
          count={integrations?.length}
          here={current === category}
        />
      ))}
    </nav>
  );
}

const Entry = ({
  href,
  label,
  count,
  here,
}: {
  href: string;
  label: string;
  count: number | undefined;
  here: boolean;
}) => (
  <Link href={href} aria-current={here ? 'page' : undefined}>
    {label}
    <span>{count}</span>
  </Link>
);
