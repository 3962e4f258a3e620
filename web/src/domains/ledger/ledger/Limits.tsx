import { docsHref } from '#lib/docs.ts';
import { DocsLink } from '#ui/DocsLink.tsx';
import { Panel } from '#ui/Panel.tsx';
import s from './Ledger.module.css';

/** In plain words, the same wherever the ledger is shown. */
export const Limits = () => (
  <Panel title="What this proves, and what not">
    <div className={s.limits}>
      <h3>It shows</h3>
      <ul>
        <li>that an entry was changed or taken away after a checkpoint of it was kept by somebody else</li>
        <li>that something was left out of a list that claims to be whole: entries are counted by kind each hour</li>
        <li>that an older state of the database was brought back</li>
      </ul>
      <h3>It does not show</h3>
      <ul>
        <li>whether what was written down is true, or whether something was never told to Sightline</li>
        <li>that all of it was rewritten before anybody outside kept a checkpoint</li>
        <li>two different logs shown to two people, unless they compare checkpoints or share a witness</li>
      </ul>
      <DocsLink href={docsHref('ledger', 'what-it-proves-and-what-not')}>More about that</DocsLink>
    </div>
  </Panel>
);
