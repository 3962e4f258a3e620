import { SearchOption } from '#ui/SearchOption.tsx';
import s from './DocsSearch.module.css';
import type { SearchHit } from './search.ts';

interface HitRowProps {
  id: string;
  hit: SearchHit;
  active: boolean;
  onPoint: () => void;
  onRun: () => void;
}

export const HitRow = ({ id, hit: { title, heading, snippet }, active, onPoint, onRun }: HitRowProps) => (
  <SearchOption id={id} active={active} onPoint={onPoint} onRun={onRun} className={s.option}>
    <span className={s.place}>
      {title}
      {heading !== undefined && <span className={s.heading}> › {heading}</span>}
    </span>
    <span className={s.snippet}>
      {snippet.map((piece, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change their order
        index % 2 === 1 ? <mark key={index}>{piece}</mark> : <span key={index}>{piece}</span>,
      )}
    </span>
  </SearchOption>
);
