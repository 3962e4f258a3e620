import { IconCircleCheck } from '@tabler/icons-react';
import { Panel } from '#ui/Panel.tsx';
import { attentionTiles } from './attention.ts';
import s from './HomePanels.module.css';
import { TileFailure } from './TileFailure.tsx';
import { TileRow } from './TileRow.tsx';
import { useTiles } from './tiles.ts';

/** Lists work that waits for the member, by kind, each with a link to its list. Work that does not exist is omitted. */
export function AttentionPanel() {
  const { tiles, isLoading, isFailed, retry } = useTiles(attentionTiles);
  const due = tiles.filter(({ counted }) => counted !== undefined && counted.count > 0);
  if (tiles.length === 0) return null;
  return (
    <Panel flush title="Needs attention">
      <ul className={s.rows} aria-busy={isLoading}>
        {due.map((tile) => (
          <TileRow key={tile.href} tile={tile} />
        ))}
        {isLoading && due.length === 0 && <li className={s.placeholder} aria-hidden />}
      </ul>
      {isFailed && <TileFailure onRetry={retry} />}
      {!isLoading && !isFailed && due.length === 0 && (
        <p className={s.nothing}>
          <IconCircleCheck size={18} stroke={1.6} aria-hidden />
          Nothing needs your attention.
        </p>
      )}
    </Panel>
  );
}
