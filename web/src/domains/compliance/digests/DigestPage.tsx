import { getDigest } from '@sightline/contract/compliance/digests.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Failure } from '#ui/Failure.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { DigestCountsPanel } from './DigestCountsPanel.tsx';
import { DigestMissingEvidence } from './DigestMissingEvidence.tsx';
import { DigestReviews } from './DigestReviews.tsx';
import s from './Digests.module.css';
import { digestStateBadges, weekText } from './digestLabels.ts';
import { ReviewForm } from './ReviewForm.tsx';

const back = { label: 'Commit digests', href: '/digests' };

/** Shows one week of a repository: activity, flagged items, and sign-offs. */
export function DigestPage() {
  const { digestId } = useParams({ strict: false });
  if (digestId === undefined) throw new Error('The address has no digest ID');
  const { data, error, refetch } = useQuery({
    ...endpointQuery(getDigest, { params: { digestId } }),
    meta: { quiet: true },
  });
  const maySign = hasPermission(useSession(), 'create:evidence');
  if (!data) {
    return (
      <>
        <PageHeader title="Commit digest" back={back} />
        <Panel>
          {error ? (
            <Failure title="The digest could not be loaded" error={error} onRetry={() => void refetch()} />
          ) : (
            <p className="dim" role="status" aria-busy>
              Loading
            </p>
          )}
        </Panel>
      </>
    );
  }
  const [tone, words] = digestStateBadges[data.state];
  return (
    <>
      <PageHeader
        title={data.repository.fullName}
        back={back}
        help={{ href: docsHref('evidence', 'commit-digests'), about: 'commit digests' }}
        before={<ProviderIcon provider={data.repository.provider} size={20} labelled />}
        after={<StatusBadge tone={tone}>{words}</StatusBadge>}
        note={
          <span>
            {weekText(data.period)}, at ledger size {number.format(data.asOf.size)}, due since{' '}
            <TimeAgo at={data.dueAt} />
            {data.requested && (
              <>
                , created on request of {data.requested.by.name ?? 'a former member'}{' '}
                <TimeAgo at={data.requested.createdAt} />
              </>
            )}
          </span>
        }
      />
      <div className={s.page}>
        <DigestCountsPanel counts={data.counts} />
        <ReviewForm key={`${data.id} ${data.decided}`} digest={data} maySign={maySign} />
        <DigestMissingEvidence missing={data.missing} period={data.period} />
        <DigestReviews reviews={data.reviews} />
        <p className={s.hash}>
          Signed content: <code>{data.bodySha256}</code>
          <CopyButton compact value={data.bodySha256} label="Copy hash" />
        </p>
      </div>
    </>
  );
}

const number = new Intl.NumberFormat('en-GB');
