import { Link } from '#ui/Link.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import s from './HomePanels.module.css';
import { type CountedTile, countText, nounOf } from './tiles.ts';

/** A tile as a row: '3 waivers to decide'. */
export const TileRow = ({ tile }: { tile: CountedTile }) => (
  <li>
    <Link className={s.row} href={tile.href}>
      <StatusDot tone={tile.isUrgent ? 'red' : 'yellow'}>{capitalize(nounOf(tile))}</StatusDot>
      <span className={s.count}>{tile.counted && countText(tile.counted)}</span>
    </Link>
  </li>
);

const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
