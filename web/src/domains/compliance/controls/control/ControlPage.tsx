import { getControl } from '@sightline/contract/compliance/control-runs.ts';
import { controlId } from '@sightline/contract/core/control-ids.ts';
import { quarterOf } from '@sightline/contract/core/periods.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { useUrlQuery } from '#lib/url-query.ts';
import { Empty } from '#ui/Empty.tsx';
import { Failure } from '#ui/Failure.tsx';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { PeriodPicker } from '#ui/PeriodPicker.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { statusBadges } from '#ui/verdicts.ts';
import { ControlIcon } from '../ControlIcon.tsx';
import { DisabledRepositories } from '../DisabledRepositories.tsx';
import s from './Control.module.css';
import { ControlDefinitionPanel } from './ControlDefinitionPanel.tsx';
import { ControlEvaluations } from './ControlEvaluations.tsx';
import { ControlItems } from './ControlItems.tsx';
import { ControlSample } from './ControlSample.tsx';
import { ControlSummary } from './ControlSummary.tsx';
import { controlQuery, hrefOfTab } from './controlQuery.ts';
import { EvaluateControlButton } from './EvaluateControlButton.tsx';

const back = { label: 'Evidence', href: '/evidence' };

/** One control: its result in a period, the evaluated items with reasons, a random sample, and its definition. */
export function ControlPage() {
  const { controlId: given } = useParams({ strict: false });
  const { data: id } = controlId.safeParse(given);
  const [query, setQuery] = useUrlQuery(controlQuery);
  const period = query.period ?? quarterOf(new Date());
  if (id === undefined) throw new Error('The address has no control ID');
  const which = { period, asOf: query.asOf };
  const stateQuery = useQuery({
    ...endpointQuery(getControl, { params: { id }, query: which }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (['queued', 'running'].includes(state.data?.task?.state ?? '') ? 2_000 : false),
    meta: { quiet: true },
  });
  const control = stateQuery.data;
  if (!control) {
    return (
      <>
        <PageHeader title={id} back={back} />
        <Panel>
          {stateQuery.error ? (
            <Failure
              title="The control could not be loaded"
              error={stateQuery.error}
              onRetry={() => void stateQuery.refetch()}
            />
          ) : (
            <p className="dim" role="status" aria-busy>
              Loading
            </p>
          )}
        </Panel>
      </>
    );
  }
  const { result } = control;
  const [tone, words] = statusBadges[result?.status ?? 'not_evaluated'];
  return (
    <>
      <PageHeader
        title={control.title}
        back={back}
        help={{ href: docsHref('controls', id.toLowerCase()), about: id }}
        before={<ControlIcon id={id} size={20} />}
        after={<StatusBadge tone={tone}>{words}</StatusBadge>}
        note={control.rule}
        freshness={
          result && (
            <>
              Evaluated <TimeAgo at={result.runAt} /> at ledger size {number.format(result.asOfSize)}
            </>
          )
        }
        actions={
          <>
            <PeriodPicker period={period} onChange={(next) => setQuery({ period: next, asOf: undefined })} />
            <EvaluateControlButton control={control} which={which} />
          </>
        }
      />
      <div className={s.page}>
        <ControlSummary control={control} verdicts={query.verdict} setQuery={setQuery} />
        <LinkTabs
          label={control.title}
          current={hrefOfTab(id, query, query.tab)}
          tabs={[
            { label: 'Items', href: hrefOfTab(id, query, 'rows'), count: result?.counts.population },
            { label: 'Sample', href: hrefOfTab(id, query, 'sample') },
            { label: 'Definition', href: hrefOfTab(id, query, 'definition') },
            { label: 'Evaluations', href: hrefOfTab(id, query, 'runs') },
          ]}
        />
        {query.tab === 'rows' && (result ? <ControlItems control={control} period={period} /> : <NoRows />)}
        {query.tab === 'sample' && <ControlSample control={control} which={which} />}
        {query.tab === 'rows' && <DisabledRepositories unrecorded={control.unrecorded} />}
        {query.tab === 'definition' && <ControlDefinitionPanel control={control} />}
        {query.tab === 'runs' && <ControlEvaluations id={id} period={period} query={query} />}
      </div>
    </>
  );
}

const NoRows = () => (
  <Panel>
    <Empty kind="nothing-yet" title="No items">
      Items and their verdicts appear here after an evaluation. This period has none yet.
    </Empty>
  </Panel>
);

const number = new Intl.NumberFormat('en-GB');
