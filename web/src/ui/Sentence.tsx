import type { Parameter, Summary } from '@sightline/contract/timeline/events.ts';
import { EventEntity, type OnEntity } from './EventEntity.tsx';
import { phrasePieces } from './phrase.ts';
import s from './Sentence.module.css';

interface SentenceProps {
  summary: Summary;
  /** Without it the objects are text. */
  onEntity?: OnEntity;
  className?: string | undefined;
}

/** A sentence with its objects as chips. */
export const Sentence = ({ summary, onEntity, className = '' }: SentenceProps) => (
  <span className={`${s.sentence} ${className}`}>
    {phrasePieces(summary).map((piece, index) =>
      'words' in piece ? (
        // A phrase can repeat words, and its pieces never change order.
        // biome-ignore lint/suspicious/noArrayIndexKey: only the index distinguishes them
        <span key={`words ${index}`} className={s.word} data-mark={/^[:,.]/.test(piece.words) || undefined}>
          {piece.words}
        </span>
      ) : (
        <Named key={piece.index} parameter={piece.parameter} onEntity={onEntity} />
      ),
    )}
  </span>
);

function Named({ parameter, onEntity }: { parameter: Parameter; onEntity: OnEntity | undefined }) {
  if (parameter.kind === 'text') {
    return parameter.display === '' ? null : (
      <span className={s.quote} title={parameter.display}>{`“${parameter.display}”`}</span>
    );
  }
  if (parameter.kind === 'number') return <span className="num">{parameter.display}</span>;
  return <EventEntity parameter={parameter} onEntity={onEntity} />;
}
