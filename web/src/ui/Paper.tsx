import { type ReactNode, useEffect } from 'react';
import { useNow } from './Clock.tsx';
import { type LedgerState, ledgerStatementOf, limitationText, tamperEvident } from './ledger-status.ts';
import s from './Paper.module.css';

interface PaperProps {
  /** The owner of the evidence; undefined while loading. */
  organization: string | undefined;
  vouched: LedgerState;
  /** A link to further information, which is not printed. */
  more?: ReactNode;
  children: ReactNode;
}

/**
 * A printable audit view with the ledger integrity, external anchors and limitations of its data. In print, the frame
 * and controls are hidden, and the same text is at the foot of each sheet.
 */
export function Paper({ organization, vouched, more, children }: PaperProps) {
  const now = useNow();
  const { message, isWeak } = ledgerStatementOf(vouched, now);
  useSheetFoot(`${organization ?? 'Sightline'}. ${tamperEvident} ${message} ${limitationText}`);
  return (
    <div className={s.paper}>
      <p className={s.imprint} aria-hidden>
        <b>{organization}</b>
        <span>{window.location.href}</span>
        <span>Printed on {printed.format(now)} UTC</span>
      </p>
      {children}
      <p className={s.assurance}>
        {tamperEvident} {isWeak ? <strong>{message}</strong> : message} {limitationText} {more}
      </p>
    </div>
  );
}

const printed = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Sets the text at the foot of each sheet, with its number. Page rules require a style sheet. */
function useSheetFoot(words: string): void {
  useEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      `@page { @bottom-left { content: ${quoted(words)}; ${foot} width: 88%; } @bottom-right { content: counter(page) ' of ' counter(pages); ${foot} text-align: right; } }`,
    );
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  }, [words]);
}

const foot = `font: 7pt / 9pt 'Inter Variable', system-ui, sans-serif; color: #555; vertical-align: top; padding-top: 3mm;`;

/** Formats a CSS string; characters other than plain ones are escaped by number. */
const quoted = (words: string): string =>
  `"${[...words].map((one) => (/[\w .,:;()'/-]/.test(one) ? one : `\\${(one.codePointAt(0) ?? 0).toString(16)} `)).join('')}"`;
