import { Link } from '#ui/Link.tsx';
import s from './HomePanels.module.css';
import { type CountedTile, countText, nounOf } from './tiles.ts';

/** A tile as a card with a large number. */
export const TileCard = ({ tile }: { tile: CountedTile }) => (
  <li>
    <Link className={s.card} href={tile.href} data-zero={tile.counted?.count === 0 || undefined}>
      <span className={s.number} data-urgent={(tile.isUrgent && (tile.counted?.count ?? 0) > 0) || undefined}>
        {tile.counted ? countText(tile.counted) : '–'}
      </span>
      <span className={s.label}>{nounOf(tile)}</span>
    </Link>
  </li>
);
