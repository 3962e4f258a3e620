import { Button, Select } from '@mantine/core';
import { type CopilotUsage, exportCopilotUsage, getCopilotUsage } from '@sightline/contract/tools/copilot-usage.ts';
import { IconBrandGithubCopilot, IconDownload } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { useUrlQuery } from '#lib/url-query.ts';
import { useExport } from '#lib/use-export.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { ExportProgress } from '#ui/Export.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Filters } from '#ui/Filters.tsx';
import { Link } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { controlPeriodChoices } from '#ui/periods.ts';
import { toast } from '#ui/toast.ts';
import { CopilotCharts } from './CopilotCharts.tsx';
import { CopilotSourceNotice, ReadCopilotButton } from './CopilotSourceNotice.tsx';
import s from './CopilotUsage.module.css';
import { editorColumns, featureColumns, modelColumns } from './copilotColumns.tsx';

/** Shows what GitHub reports of the use of Copilot in a GitHub organization: numbers of all members, and no persons. */
export function CopilotUsagePage() {
  const [query, setQuery] = useUrlQuery(getCopilotUsage.query);
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getCopilotUsage, { query }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const exporting = useExport(exportCopilotUsage, () => toast.success('The usage of GitHub Copilot was exported.'));
  const source = data?.sources.find(({ id }) => id === data.source);
  return (
    <>
      <PageHeader
        title="GitHub Copilot usage"
        back={{ label: 'Agent sessions', href: '/agent-sessions' }}
        help={{ href: docsHref('agents', 'github-copilot-usage'), about: 'the usage of GitHub Copilot' }}
        note="What GitHub counts in an organization, by day in UTC. It names no persons."
        actions={
          data &&
          source && (
            <Button
              variant="default"
              leftSection={<IconDownload size={15} aria-hidden />}
              disabled={exporting.state !== undefined || data.days.length === 0}
              onClick={() => exporting.start({ query })}
            >
              Export CSV
            </Button>
          )
        }
      />
      {exporting.state && (
        <ExportProgress
          state={exporting.state}
          label="Exporting the usage of GitHub Copilot"
          noun="days"
          onStop={exporting.stop}
          onRetry={exporting.retry}
        />
      )}
      {data && source && (
        <Filters>
          {data.sources.length > 1 && (
            <Select
              aria-label="GitHub organization"
              w={220}
              allowDeselect={false}
              data={data.sources.map(({ id, account }) => ({ value: id, label: account }))}
              value={source.id}
              onChange={(id) => setQuery({ source: id ?? undefined })}
            />
          )}
          <Select
            aria-label="Period"
            placeholder="Last 90 days"
            w={180}
            clearable
            data={controlPeriodChoices(new Date(), query.period ?? String(new Date().getUTCFullYear()))}
            value={query.period ?? null}
            onChange={(period) => setQuery({ period: period ?? undefined })}
          />
        </Filters>
      )}
      {data ? (
        <UsageContent usage={data} />
      ) : (
        <Panel>
          {error ? (
            <Failure title="The usage could not be loaded" error={error} onRetry={() => void refetch()} />
          ) : (
            <p className="dim" role="status" aria-busy>
              Loading
            </p>
          )}
        </Panel>
      )}
    </>
  );
}

function UsageContent({ usage }: { usage: CopilotUsage }) {
  const { sources, source, days, byModel, byFeature, byEditor } = usage;
  const shown = sources.find(({ id }) => id === source);
  const rejected = days.reduce((sum, day) => sum + day.rejected, 0);
  if (!shown)
    return (
      <Empty
        kind="nothing-yet"
        title="No GitHub organization is connected"
        icon={<IconBrandGithubCopilot size={19} stroke={1.6} />}
        action={
          <Button component={Link} href="/integrations/source-code-management" variant="default">
            Integrations
          </Button>
        }
      >
        The usage of GitHub Copilot appears here after the GitHub app is installed in an organization.
      </Empty>
    );
  return (
    <div className={s.stack}>
      <CopilotSourceNotice source={shown} />
      {days.length === 0 ? (
        <Empty
          kind="nothing-yet"
          title="No Copilot reports in this period"
          icon={<IconBrandGithubCopilot size={19} stroke={1.6} />}
          action={<ReadCopilotButton />}
        >
          {emptyText(shown.state)}
        </Empty>
      ) : (
        <>
          <Panel title="Days" aside={shown.state !== 'read' && <ReadCopilotButton />}>
            <CopilotCharts days={days} />
          </Panel>
          {rejected > 0 && (
            <p className={s.note}>
              {rejected} {rejected === 1 ? 'part' : 'parts'} of the reports could not be understood and{' '}
              {rejected === 1 ? 'is' : 'are'} in no number.
            </p>
          )}
          <Panel title="Models and features" flush>
            <DataTable
              focusable
              label="Usage by model and feature"
              columns={modelColumns}
              rows={byModel}
              rowKey={({ model, feature }) => `${model} ${feature}`}
              empty={none}
            />
          </Panel>
          <Panel title="Features" flush>
            <DataTable
              focusable
              label="Usage by feature"
              columns={featureColumns}
              rows={byFeature}
              rowKey={({ feature }) => feature}
              empty={none}
            />
          </Panel>
          <Panel title="Editors" flush>
            <DataTable
              focusable
              label="Usage by editor"
              columns={editorColumns}
              rows={byEditor}
              rowKey={({ editor }) => editor}
              empty={none}
            />
          </Panel>
        </>
      )}
    </div>
  );
}

const none = <p className={s.note}>GitHub reports none in this period.</p>;

const emptyText = (state: CopilotUsage['sources'][number]['state']): string =>
  state === null
    ? 'Sightline reads the reports every day. The first reading is still to come.'
    : 'GitHub offers the report of a day about two days later. A missing day is not a day without use.';
