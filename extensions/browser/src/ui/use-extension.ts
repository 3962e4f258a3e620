import { useEffect, useRef, useState } from 'preact/hooks';
import { browser } from 'wxt/browser';
import { ask, type ExtensionState, type PopupCommand } from '../messages.ts';

export interface Extension {
  state: ExtensionState;
  /** Asks the background and draws what it answers. */
  act: (command: PopupCommand) => Promise<void>;
}

/** How things are, asked again whenever the background keeps something new; undefined before the first answer. */
export function useExtension(): Extension | undefined {
  const [state, setState] = useState<ExtensionState>();
  const asked = useRef(0);
  const drawn = useRef(0);
  const act = async (command: PopupCommand) => {
    asked.current += 1;
    const turn = asked.current;
    const answer = await ask(command);
    // Answers overtake each other, and what was asked last is newest; a background that failed answers nothing.
    if (!answer || turn < drawn.current) return;
    drawn.current = turn;
    setState(answer);
  };
  useEffect(() => {
    const again = () => void act({ ask: 'state' });
    again();
    browser.storage.onChanged.addListener(again);
    return () => browser.storage.onChanged.removeListener(again);
  }, []);
  return state && { state, act };
}
