import { type KeyboardEvent, type PointerEvent, useState } from 'react';

/** How to select a range, with a pointer and with the keyboard. */
export const ZOOM_HINT = 'Drag to zoom in, or use arrow keys, Shift with arrow keys, and Enter.';

/** The selected intervals, by index, both included. */
export interface SelectedIntervals {
  first: number;
  last: number;
}

/**
 * Selects a range of intervals of equal width: by dragging, or with arrow keys, Shift and Enter. `pointerProps` are for each
 * element that shows all intervals, `keyProps` for one of them,
 * which needs the role `slider`.
 */
export function useRangeSelection(count: number, onSelect: (intervals: SelectedIntervals) => void) {
  const [chosen, setChosen] = useState<{ anchor: number; at: number }>();
  const last = count - 1;
  const selected = chosen && { first: Math.min(chosen.anchor, chosen.at), last: Math.max(chosen.anchor, chosen.at) };
  const indexAt = ({ clientX, currentTarget }: PointerEvent) => {
    const box = currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(last, Math.floor(((clientX - box.left) / box.width) * count)));
  };
  const submit = () => selected && onSelect(selected);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = chosen?.at ?? last;
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (next !== undefined) {
      const index = chosen ? Math.max(0, Math.min(last, next)) : last;
      setChosen({ anchor: event.shiftKey && chosen ? chosen.anchor : index, at: index });
    } else if (event.key === 'Enter' || event.key === ' ') submit();
    else if (event.key === 'Escape') setChosen(undefined);
    else return;
    event.preventDefault();
  };
  return {
    selected,
    keyProps: {
      'aria-orientation': 'horizontal',
      'aria-valuemin': 0,
      'aria-valuemax': last,
      'aria-valuenow': chosen?.at ?? last,
      onKeyDown,
    } as const,
    pointerProps: {
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const index = indexAt(event);
        setChosen({ anchor: index, at: index });
      },
      onPointerMove: (event: PointerEvent) => {
        if (!chosen || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const at = indexAt(event);
        if (at !== chosen.at) setChosen({ ...chosen, at });
      },
      onPointerUp: (event: PointerEvent) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) submit();
      },
      onPointerCancel: () => setChosen(undefined),
    },
  };
}
