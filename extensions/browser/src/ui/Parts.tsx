import type { LogEntry } from '@sightline/telemetry/log.ts';
import type { ComponentChildren } from 'preact';
import type { ExtensionState } from '../messages.ts';
import { clockTime, eventSentence, extensionStatusText, type Status, stateNames } from './sentences.ts';

const Mark = () => (
  <svg class="mark" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
    <path class="mark-upper" d="M2 11a8 8 0 0 1 16 0z" />
    <path class="mark-lower" d="M6 13a8 8 0 0 0 16 0z" />
  </svg>
);

const Dot = ({ tone, words }: Status) => (
  <span class="dot" data-tone={tone}>
    {words}
  </span>
);

/** The head of each extension page: the account and the status. */
export const Head = ({ state }: { state: ExtensionState }) => (
  <header>
    <Mark />
    <h1>Sightline</h1>
    <span role="status">
      <Dot {...extensionStatusText(state)} />
    </span>
  </header>
);

export function Button(props: {
  children: ComponentChildren;
  onClick?: () => void;
  main?: boolean;
  submit?: boolean;
  label?: string;
  disabled?: boolean;
}) {
  return (
    <button
      type={props.submit ? 'submit' : 'button'}
      class={props.main ? 'button main' : 'button'}
      aria-label={props.label}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      {props.children}
    </button>
  );
}

export function Switch(props: { on: boolean; label: string; onChange: (on: boolean) => void }) {
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={props.on}
      aria-label={props.label}
      onClick={() => props.onChange(!props.on)}
    >
      <span aria-hidden="true">{props.on ? 'On' : 'Off'}</span>
    </button>
  );
}

/** The recorded events with their outcome. */
export function SentList({ entries, empty }: { entries: LogEntry[]; empty: string }) {
  if (entries.length === 0) return <p class="dim">{empty}</p>;
  return (
    <ul class="sent">
      {entries.map((entry) => (
        <li key={entry.id}>
          <span class="sent-what">{eventSentence(entry)}</span>
          <time class="dim" dateTime={entry.happenedAt}>
            {clockTime(Date.parse(entry.happenedAt))}
          </time>
          <Dot {...stateNames[entry.state]} />
          {entry.reason !== '' && <span class="dim sent-why">{entry.reason}</span>}
        </li>
      ))}
    </ul>
  );
}
