import s from './DocsSearch.module.css';
import type { Hit } from './search.ts';

interface Props {
  id: string;
  hit: Hit;
  active: boolean;
  onPoint: () => void;
  onRun: () => void;
}

// The keyboard is the field's: it names the chosen one, and Enter there goes to it.
export const HitRow = ({ id, hit: { title, heading, excerpt }, active, onPoint, onRun }: Props) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: see above
  // biome-ignore lint/a11y/useFocusableInteractive: see above
  <div
    id={id}
    role="option"
    aria-selected={active}
    className={s.option}
    data-active={active || undefined}
    onMouseMove={() => active || onPoint()}
    onMouseDown={(event) => event.preventDefault()}
    onClick={onRun}
  >
    <span className={s.place}>
      {title}
      {heading !== undefined && <span className={s.heading}> › {heading}</span>}
    </span>
    <span className={s.excerpt}>
      {excerpt.map((piece, place) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, which has no other order
        place % 2 === 1 ? <mark key={place}>{piece}</mark> : <span key={place}>{piece}</span>,
      )}
    </span>
  </div>
);
