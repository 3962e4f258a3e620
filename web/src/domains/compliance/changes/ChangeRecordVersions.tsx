import type { Change } from '@sightline/contract/compliance/changes.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Changes.module.css';

const because: Record<Change['versions'][number]['cause'], string> = {
  merge: 'it was merged',
  push: 'it was pushed',
  review: 'a review changed',
  check: 'a check changed',
  identity: 'an identity was linked',
  retry: 'missing data was imported',
  reconcile: 'the repository was imported again',
  ticket: 'an issue tracker became available',
  session: 'telemetry of agents arrived',
};

/** Lists every version of the record. No version is ever changed, and each is a ledger entry. */
export function ChangeRecordVersions({ change }: { change: Change }) {
  const seesLedger = hasPermission(useSession(), 'read:audit-log');
  return (
    <Panel flush title="Record">
      <ol className={s.versions}>
        {change.versions.map(({ version, recordedAt, cause: why, missing, leaf }) => (
          <li key={version} aria-current={version === change.version || undefined}>
            <Link className="link" href={`/changes/${change.id}?version=${version}`}>
              Version {version}
            </Link>
            <span>
              <TimeAgo at={recordedAt} />, since {because[why]}
            </span>
            <span className={s.note}>
              {missing.length === 0 ? 'complete' : `${missing.length} missing`}
              {leaf === null ? (
                ', pending in the ledger'
              ) : seesLedger ? (
                <>
                  {', '}
                  <Link className="link" href={`/ledger?entry=${leaf}`}>
                    ledger entry {leaf}
                  </Link>
                </>
              ) : (
                `, ledger entry ${leaf}`
              )}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
