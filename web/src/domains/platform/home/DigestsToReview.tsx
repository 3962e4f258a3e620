import { listDigests } from '@sightline/contract/compliance/digests.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Evidence.module.css';

const shown = 5;
const waiting = { state: ['open', 'partly'] as ('open' | 'partly')[], sort: 'due-asc' as const, perPage: shown };

/** Lists the digests due for review, oldest first. Renders nothing if none is due. */
export function DigestsToReview() {
  const { data } = useQuery({ ...endpointQuery(listDigests, { query: waiting }), meta: { quiet: true } });
  if (!data || data.total === 0) return null;
  return (
    <Panel
      flush
      title="Commit digests to review"
      aside={
        <Link className={s.all} href="/digests?state=open,partly">
          View all {number.format(data.total)}
        </Link>
      }
    >
      <ul className={s.digests}>
        {data.rows.map(({ id, repository, flagged, decided, dueAt }) => (
          <li key={id}>
            <Link className={s.digest} href={`/digests/${id}`}>
              <b className="truncate">{repository.fullName}</b>
              <span className={s.meta}>
                {flagged === 0 ? 'Nothing flagged' : `${flagged - decided} to decide`}, due since <TimeAgo at={dueAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const number = new Intl.NumberFormat('en-GB');
