import { docsHref } from '#lib/docs.ts';
import { DocsLink } from '#ui/DocsLink.tsx';
import { Panel } from '#ui/Panel.tsx';
import s from './Ledger.module.css';

/** Explains the scope of the evidence, with the same text wherever the ledger is shown. */
export const EvidenceScopePanel = () => (
  <Panel title="Scope of the evidence">
    <div className={s.limits}>
      <h3>The ledger proves</h3>
      <ul>
        <li>that an entry was changed or removed after an external party saved a checkpoint of it</li>
        <li>that entries are missing from a list that claims to be complete: entries are counted by kind each hour</li>
        <li>that an older state of the database was restored</li>
      </ul>
      <h3>It does not prove</h3>
      <ul>
        <li>that recorded data is true, or that all activity was reported to Sightline</li>
        <li>that the whole ledger was not rewritten before an external party saved a checkpoint</li>
        <li>that all readers see the same log, unless they compare checkpoints or share a witness</li>
      </ul>
      <DocsLink href={docsHref('ledger', 'limits')}>Security model</DocsLink>
    </div>
  </Panel>
);
