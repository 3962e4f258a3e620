import {
  type EvidenceDestination,
  evidenceDestinationKindNames,
  getEvidenceDestination,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { destinationsPath } from '#lib/evidence-destination-href.ts';
import { Banner } from '#ui/Banner.tsx';
import { Facts } from '#ui/Facts.tsx';
import { Failure } from '#ui/Failure.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { Deliveries } from './Deliveries.tsx';
import { destinationStateBadges, kindDescriptions } from './destinationLabels.ts';
import { EvidenceDestinationActions } from './EvidenceDestinationActions.tsx';
import s from './EvidenceDestinations.module.css';
import { KindIcon } from './KindIcon.tsx';

const back = { label: 'Evidence destinations', href: destinationsPath };

/** Shows a destination with its settings and deliveries. */
export function EvidenceDestinationPage() {
  const { destinationId } = useParams({ strict: false });
  if (destinationId === undefined) throw new Error('The address has no destination ID');
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getEvidenceDestination, { params: { destinationId } }),
    meta: { quiet: true },
  });
  if (!data) {
    return (
      <>
        <PageHeader title="Evidence destination" back={back} />
        <Panel>
          {error ? (
            <Failure title="The destination could not be loaded" error={error} onRetry={() => void refetch()} />
          ) : (
            <p className="dim" role="status" aria-busy>
              Loading
            </p>
          )}
        </Panel>
      </>
    );
  }
  const [tone, words] = destinationStateBadges[data.state];
  return (
    <>
      <PageHeader
        title={data.name}
        help={{ href: docsHref('evidence-destinations', 'deliveries'), about: 'this page' }}
        back={back}
        before={<KindIcon kind={data.kind} size={20} />}
        after={<StatusBadge tone={tone}>{words}</StatusBadge>}
        note={kindDescriptions[data.kind]}
        actions={<EvidenceDestinationActions destination={data} />}
      />
      {data.state === 'failing' && data.last?.problem && <Banner tone="error">{data.last.problem}</Banner>}
      <div className={s.facts}>
        <Panel>
          <Facts side items={factsOf(data)} />
        </Panel>
      </div>
      <h2 className={s.heading}>Deliveries</h2>
      <Deliveries destination={data} />
    </>
  );
}

const names: Record<string, string> = {
  url: 'Address',
  clientId: 'Client ID',
  documentId: 'Document',
  submit: 'Submits',
  workspaceId: 'Workspace',
  ownerId: 'Owner',
  controlIds: 'Their controls',
  productType: 'Product type',
  product: 'Product',
  engagement: 'Engagement',
  externalControl: 'External control',
  controls: 'Represents',
};

function factsOf({ kind, settings, createdAt, createdBy }: EvidenceDestination) {
  const settingRows = Object.entries(names).flatMap(([key, name]) => {
    const value = settings[key];
    if (value == null || (Array.isArray(value) && value.length === 0)) return [];
    const words =
      typeof value === 'boolean'
        ? value
          ? 'If every control passes'
          : 'Never'
        : Array.isArray(value)
          ? value.join(', ')
          : String(value);
    return [
      [
        name,
        <span key={key} className={s.value}>
          {words}
        </span>,
      ] as const,
    ];
  });
  const added = (
    <>
      <TimeAgo at={createdAt} /> by <PersonName person={createdBy} />
    </>
  );
  return [['Kind', evidenceDestinationKindNames[kind]], ...settingRows, ['Added', added]] as const;
}
