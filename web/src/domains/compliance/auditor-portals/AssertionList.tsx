import type { PortalAssertion } from '@sightline/contract/compliance/portal-assertions.ts';
import s from './Portals.module.css';
import { utcTimeText } from './portalLabels.ts';

/** Lists management assertions with the owners who signed them off. */
export const AssertionList = ({ assertions }: { assertions: readonly PortalAssertion[] }) => (
  <ul aria-label="Management assertions">
    {assertions.map(({ id, text, by, assertedAt }) => (
      <li key={id} className={s.request}>
        <p className={s.words}>{text}</p>
        <p className="dim">
          Signed off by {by} on {utcTimeText(assertedAt)}
        </p>
      </li>
    ))}
  </ul>
);
