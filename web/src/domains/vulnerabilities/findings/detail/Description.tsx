import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import { lazy, Suspense } from 'react';
import { ExternalLink } from '#ui/ExternalLink.tsx';
import { Panel } from '#ui/Panel.tsx';
import s from './Finding.module.css';

const Markdown = lazy(async () => ({ default: (await import('./Markdown.tsx')).Markdown }));

/** Shows the scanner's description of this location, then of the weakness in general. */
export function FindingDescription({ finding: { message, description } }: { finding: FindingDetail }) {
  const lead = message.trim();
  const general = description.trim();
  const texts = lead === general ? [general] : [lead, general];
  const paragraphs = texts.filter((text) => text !== '');
  return (
    <Panel title="Description">
      <div className={s.prose}>
        {paragraphs.length === 0 && <p className="dim">The scanner sent no description.</p>}
        {paragraphs.map((text) => (
          <Suspense key={text} fallback={<p className={s.plain}>{text}</p>}>
            <Markdown text={text} LinkOut={ExternalLink} />
          </Suspense>
        ))}
      </div>
    </Panel>
  );
}
