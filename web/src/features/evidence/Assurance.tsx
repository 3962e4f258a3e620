import { getLedger } from '@sightline/contract/ledger.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#lib/api.ts';
import { may, useSession } from '#lib/session.ts';
import { Link } from '#ui/Link.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Evidence.module.css';

/** What stands under every audit view: what the ledger behind it shows, with whom it is anchored, and what it does not prove. */
export function Assurance() {
  const isAllowed = may(useSession(), 'read:audit-log');
  const { data } = useQuery({ ...ask(getLedger, {}), enabled: isAllowed, meta: { quiet: true } });
  const anchor = data?.anchors.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))[0];
  return (
    <p className={s.assurance}>
      Each row rests on entries of a tamper-evident ledger: what is changed later is noticed.{' '}
      {data &&
        (anchor ? (
          <>
            A checkpoint of {number.format(anchor.size)} entries was left with {anchor.party} <TimeAgo at={anchor.at} />
            .{' '}
          </>
        ) : (
          <strong>Only this server vouches for it: no checkpoint was left with anybody else yet. </strong>
        ))}
      It does not prove that what was told to Sightline is true, nor that anything that never arrived did not happen.{' '}
      {isAllowed && (
        <Link className="link" href="/ledger">
          See the ledger
        </Link>
      )}
    </p>
  );
}

const number = new Intl.NumberFormat('en-GB');
