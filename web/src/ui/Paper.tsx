import { type ReactNode, useEffect } from 'react';
import { useNow } from './Clock.tsx';
import { notProven, tamperEvident, type Vouched, vouchingOf } from './ledger-status.ts';
import s from './Paper.module.css';

interface PaperProps {
  /** Whose evidence it is; undefined while that is on its way. */
  organization: string | undefined;
  vouched: Vouched;
  /** Leads to whoever wants to know more; nothing of it is printed. */
  more?: ReactNode;
  children: ReactNode;
}

/**
 * What an auditor may print: under it stands what the ledger behind it shows, who else vouches for that, and what it does not prove.
 * On paper the frame and everything to press is left out, and the same words stand at the foot of every sheet.
 */
export function Paper({ organization, vouched, more, children }: PaperProps) {
  const now = useNow();
  const { says, isWeak } = vouchingOf(vouched, now);
  useSheetFoot(`${organization ?? 'Sightline'}. ${tamperEvident} ${says} ${notProven}`);
  return (
    <div className={s.paper}>
      <p className={s.imprint} aria-hidden>
        <b>{organization}</b>
        <span>{window.location.href}</span>
        <span>Printed on {printed.format(now)} UTC</span>
      </p>
      {children}
      <p className={s.assurance}>
        {tamperEvident} {isWeak ? <strong>{says}</strong> : says} {notProven} {more}
      </p>
    </div>
  );
}

const printed = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Words at the foot of every sheet, with its number. A rule of a page can only be given by a sheet of styles. */
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

/** As CSS writes a string: what is no plain character is written by its number. */
const quoted = (words: string): string =>
  `"${[...words].map((one) => (/[\w .,:;()'/-]/.test(one) ? one : `\\${(one.codePointAt(0) ?? 0).toString(16)} `)).join('')}"`;
