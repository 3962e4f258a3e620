import {
  type Integration,
  type IntegrationCategory,
  listIntegrations,
} from '@sightline/contract/sources/integrations.ts';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { Fragment } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { useFlag } from '#lib/flags.ts';
import { useImportPanel } from '#lib/imports.ts';
import { Failure } from '#ui/Failure.tsx';
import { ImportPanel } from '#ui/ImportPanel.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { CategoryNav } from './CategoryNav.tsx';
import { categoryOf, categoryTitles } from './categories.ts';
import type { IntegrationGroup } from './group.ts';
import { IntegrationCard } from './IntegrationCard.tsx';
import s from './Integrations.module.css';
import { integrationUis } from './integrationUis.ts';
import { LoadedSetup } from './LoadedSetup.tsx';

/** Lists all integrations by category with their status (spec 2.7). The address holds the category. */
export function IntegrationsPage() {
  // Not the latest location: while the next page loads, this one would briefly show every category.
  const path = useRouterState({ select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).pathname });
  const category = categoryOf(path);
  const { data, error, refetch } = useQuery({ ...endpointQuery(listIntegrations, {}), meta: { quiet: true } });
  const scanners = useFlag('vulnerabilities');
  const groups = groupsOf(data, scanners);
  const imports = useImportPanel();
  return (
    <>
      <PageHeader title="Integrations" note="Data sources of your evidence." />
      <div className={s.page}>
        <CategoryNav groups={groups} current={category} />
        {error && !data ? (
          <Panel>
            <Failure title="The integrations could not be loaded" error={error} onRetry={() => void refetch()} />
          </Panel>
        ) : (
          <div className={s.groups} aria-busy={!data}>
            {(category === undefined || category === 'source-code-management') && <ImportPanel {...imports.panel} />}
            {groups
              .filter((group) => category === undefined || group.category === category)
              .map((group) => (
                <Group key={group.category} {...group} />
              ))}
          </div>
        )}
      </div>
      {integrationUis.map(({ name, Setup, loadSetup }) => (
        <Fragment key={name}>
          {Setup && <Setup name={name} />}
          {loadSetup && <LoadedSetup name={name} load={loadSetup} />}
        </Fragment>
      ))}
    </>
  );
}

function groupsOf(all: readonly Integration[] | undefined, scanners: boolean): IntegrationGroup[] {
  const categories = Object.keys(categoryTitles) as IntegrationCategory[];
  return categories
    .map((category) => ({ category, integrations: all?.filter((one) => one.category === category) }))
    .filter(({ category }) => scanners || category !== 'security-scanners')
    .filter(({ integrations }) => !integrations || integrations.length > 0);
}

function Group({ category, integrations }: IntegrationGroup) {
  const id = `integrations-${category}`;
  return (
    <section aria-labelledby={id}>
      <h2 className={s.group} id={id}>
        {categoryTitles[category]}
      </h2>
      {integrations ? (
        <ul className={s.cards}>
          {integrations.map((integration) => (
            <IntegrationCard key={integration.name} integration={integration} />
          ))}
        </ul>
      ) : (
        <div className={s.cards}>
          <span className={s.placeholder} />
          <p className="vh" role="status">
            Loading
          </p>
        </div>
      )}
    </section>
  );
}
