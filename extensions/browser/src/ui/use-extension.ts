import { useEffect, useRef, useState } from 'preact/hooks';
import { browser } from 'wxt/browser';
import { type ExtensionState, type PopupCommand, sendCommand } from '../messages.ts';

export interface Extension {
  state: ExtensionState;
  /** Sends a command to the background and renders the returned state. */
  act: (command: PopupCommand) => Promise<void>;
}

/** The current state, refetched when stored data changes; undefined before the first response. */
export function useExtension(): Extension | undefined {
  const [state, setState] = useState<ExtensionState>();
  const latestRequest = useRef(0);
  const drawn = useRef(0);
  const act = async (command: PopupCommand) => {
    latestRequest.current += 1;
    const requestNumber = latestRequest.current;
    const answer = await sendCommand(command);
    // Responses can arrive out of order, so the one to the latest request is used. A failed background returns
    // undefined.
    if (!answer || requestNumber < drawn.current) return;
    drawn.current = requestNumber;
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
