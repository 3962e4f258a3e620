import { IconBrandEdge, IconBrandVscode, IconQuestionMark } from '@tabler/icons-react';
import s from './Tools.module.css';

/** The icon of a tool in one color, or '?' if unknown (spec 8). Decorative, because the name is beside it. */
export const ToolIcon = ({ icon, id, size = 15 }: { icon: string | null; id: string; size?: number }) => (
  <span className={s.tile} style={{ '--tile': `${size * 2}px` }} aria-hidden>
    <ToolMark icon={icon} id={id} size={size} />
  </span>
);

function ToolMark({ icon, id, size }: { icon: string | null; id: string; size: number }) {
  if (icon !== null) {
    // One small file per visible icon, because all icons together would be larger than the page.
    return <span className={s.mark} style={{ '--mark': `url(/icons/${icon}.svg)`, '--size': `${size}px` }} />;
  }
  if (id.startsWith('vscode')) return <IconBrandVscode size={size + 1} stroke={1.75} />;
  if (id === 'edge') return <IconBrandEdge size={size + 1} stroke={1.75} />;
  return <IconQuestionMark size={size} />;
}
