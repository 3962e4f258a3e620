import type { ReactNode } from 'react';
import s from './SearchOption.module.css';

interface SearchOptionProps {
  id: string;
  active: boolean;
  onPoint: () => void;
  onRun: () => void;
  className?: string | undefined;
  children: ReactNode;
}

// The field handles the keyboard: it references the active option, and Enter runs it.
/** An option below a search field that keeps the focus. */
export const SearchOption = ({ id, active, onPoint, onRun, className = '', children }: SearchOptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: see above
  // biome-ignore lint/a11y/useFocusableInteractive: see above
  <div
    id={id}
    role="option"
    aria-selected={active}
    className={`${s.option} ${className}`}
    data-active={active || undefined}
    onMouseMove={() => active || onPoint()}
    onMouseDown={(event) => event.preventDefault()}
    onClick={onRun}
  >
    {children}
  </div>
);
