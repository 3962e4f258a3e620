import type { Parameter, Summary } from '@sightline/contract/events.ts';
import { EventEntity } from './EventEntity.tsx';
import { piecesOf } from './phrase.ts';
import s from './Timeline.module.css';
import type { OnEntity } from './useEntityFilter.ts';

/** Who did what to what, its things as chips. */
export const Sentence = ({ summary, onEntity }: { summary: Summary; onEntity: OnEntity }) => (
  <span className={s.sentence}>
    {piecesOf(summary).map((piece) =>
      'words' in piece ? (
        <span key={piece.words} className={s.word}>
          {piece.words}
        </span>
      ) : (
        <Named key={piece.index} parameter={piece.parameter} onEntity={onEntity} />
      ),
    )}
  </span>
);

function Named({ parameter, onEntity }: { parameter: Parameter; onEntity: OnEntity }) {
  if (parameter.kind === 'text') {
    return parameter.display === '' ? null : (
      <span className={s.quote} title={parameter.display}>{`“${parameter.display}”`}</span>
    );
  }
  if (parameter.kind === 'number') return <span className="num">{parameter.display}</span>;
  return <EventEntity parameter={parameter} onEntity={onEntity} />;
}
