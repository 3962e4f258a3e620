import { useEffect, useState } from 'preact/hooks';
import { browser } from 'wxt/browser';
import { ask, type Command, type State } from '../messages.ts';

export interface Extension {
  state: State;
  /** Asks the background and draws what it answers. */
  act: (command: Command) => Promise<void>;
}

/** How things are, asked again whenever the background keeps something new; undefined before the first answer. */
export function useExtension(): Extension | undefined {
  const [state, setState] = useState<State>();
  const act = async (command: Command) => {
    const answer = await ask(command);
    // A background that failed answers nothing: what was drawn stays.
    if (answer) setState(answer);
  };
  useEffect(() => {
    const again = () => void act({ ask: 'state' });
    again();
    browser.storage.onChanged.addListener(again);
    return () => browser.storage.onChanged.removeListener(again);
  }, []);
  return state && { state, act };
}
