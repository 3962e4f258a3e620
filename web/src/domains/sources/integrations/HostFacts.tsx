import type { ConnectableHost, HostConnection } from '@sightline/contract/sources/host-connections.ts';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { hostTermsOf } from './hostTerms.ts';
import s from './Places.module.css';

/** Shows the connection of a host, its start, and the status of its webhooks, or that it is polled. */
export function HostFacts({ host, connection }: { host: ConnectableHost; connection: HostConnection }) {
  const { kind, login, display, baseURL, connectedAt, webhooks } = connection;
  const { isPolled = false } = hostTermsOf(host);
  return (
    <dl className={s.facts}>
      <div>
        <dt>URL</dt>
        <dd>{baseURL.replace(/^https?:\/\//, '')}</dd>
      </div>
      <div>
        <dt>Connected</dt>
        <dd>
          by {login}, {kind === 'oauth' ? 'signed in' : `token ${display}`}, <TimeAgo at={connectedAt} />
        </dd>
      </div>
      <div>
        <dt>{isPolled ? 'Updates' : 'Webhooks'}</dt>
        <dd>
          {isPolled
            ? 'Sightline reads changes every few minutes'
            : webhooks.created === 0 && webhooks.failed === 0
              ? 'None. One is created for each enabled repository'
              : `${webhooks.created} created${webhooks.failed > 0 ? `, ${webhooks.failed} failed` : ''}`}
          {webhooks.failure !== null && <span className="dim">. {webhooks.failure}</span>}
        </dd>
      </div>
    </dl>
  );
}
